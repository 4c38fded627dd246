import Foundation

/// What this process has used.
struct Usage {
    let cpuSeconds: Double
    /// The most memory it had. `ru_maxrss` would be no less than what the process had that started this one.
    let peakBytes: Int

    static var now: Usage {
        Usage(cpuSeconds: cpuSeconds(of: __rusage_who_t(RUSAGE_SELF.rawValue)), peakBytes: peakBytes)
    }

    /// The time that the processes it started have used up, those that have ended.
    static var ofChildren: Double { cpuSeconds(of: __rusage_who_t(RUSAGE_CHILDREN.rawValue)) }

    private static func cpuSeconds(of whose: __rusage_who_t) -> Double {
        var usage = rusage()
        getrusage(whose, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static var peakBytes: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) * 1024
    }
}
