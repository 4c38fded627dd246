import Foundation

/// The memory, threads and descriptors of this process.
enum Resources {
    /// The resident memory, from `/proc/self/status` (proc(5)).
    static var residentKiB: Int { status("VmRSS:") }

    /// The peak of the resident memory.
    static var peakKiB: Int { status("VmHWM:") }

    private static func status(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    /// The allocated memory in KiB: the allocator's memory without its free blocks (malloc_info(3)); 0 if that is not
    /// available.
    static var allocatedKiB: Int {
        typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
        guard let info = dlsym(nil, "malloc_info").map({ unsafeBitCast($0, to: Info.self) }) else { return 0 }
        var text: UnsafeMutablePointer<CChar>?
        var count = 0
        guard let stream = open_memstream(&text, &count) else { return 0 }
        _ = info(0, stream)
        fclose(stream)
        defer { free(text) }
        // The totals are after those of the arenas.
        guard let text else { return 0 }
        let totals = String(cString: text).components(separatedBy: "</heap>").last ?? ""
        func size(_ element: String) -> Int {
            let line = totals.split(separator: "\n").first { $0.contains(element) } ?? ""
            let digits = line.components(separatedBy: "size=\"").last?.prefix(while: \.isNumber)
            return digits.flatMap { Int($0) } ?? 0
        }
        let unused = size("<total type=\"fast\"") + size("<total type=\"rest\"")
        return (size("<system type=\"current\"") + size("<total type=\"mmap\"") - unused) / 1_024
    }

    /// Returns free memory to the system (malloc_trim(3)), of which many threads leave much.
    static func trim() {
        guard let address = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    /// Whether all other threads of this process are asleep, from `/proc/self/task`.
    static var isQuiet: Bool {
        let folder = "/proc/self/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))?.split(
            separator: "/"
        ).last
        return threads.allSatisfy { thread in
            if let own, thread == own { return true }
            // The state is after the name, which is in parentheses.
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)) ?? ""
            return text.components(separatedBy: ") ").last?.first == "S"
        }
    }

    /// The targets of the open descriptors, from `/proc/self/fd`, with the folder itself.
    static var descriptors: [String] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? folder }
    }
}
