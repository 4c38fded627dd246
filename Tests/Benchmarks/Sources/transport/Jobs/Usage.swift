import Foundation

/// What this process has used.
struct Usage {
    let cpuSeconds: Double
    /// The most memory it had. `ru_maxrss` would be no less than what the process had that started this one.
    let peakBytes: Int

    static var now: Usage {
        var usage = rusage()
        getrusage(whose, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return Usage(cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peakBytes: peakBytes)
    }

    private static let whose = __rusage_who_t(RUSAGE_SELF.rawValue)

    private static var peakBytes: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmHWM:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) * 1024
    }
}
