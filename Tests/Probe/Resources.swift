import Foundation

/// What this process holds.
enum Resources {
    /// The resident memory, from `/proc/self/status` (proc(5)).
    static var residentKiB: Int { status("VmRSS:") }

    /// The most that has been resident.
    static var peakKiB: Int { status("VmHWM:") }

    private static func status(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    /// Gives what is free back to the system (malloc_trim(3)): many threads leave much of it behind.
    static func trim() {
        guard let address = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    /// What the open descriptors stand for, from `/proc/self/fd`, with the folder itself.
    static var descriptors: [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? folder }
    }
}
