import Foundation

/// What this process has used.
struct Usage {
    let cpuSeconds: Double
    let peakBytes: Int

    static var now: Usage {
        var usage = rusage()
        getrusage(whose, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return Usage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            peakBytes: Int(usage.ru_maxrss) * unit
        )
    }

    #if canImport(Glibc)
    private static let whose = __rusage_who_t(RUSAGE_SELF.rawValue)
    private static let unit = 1024
    #else
    private static let whose = RUSAGE_SELF
    private static let unit = 1
    #endif
}
