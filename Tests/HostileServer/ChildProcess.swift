#if os(Linux)
package import Foundation
import Basics

/// A program that runs beside this one, with its output read through a pipe.
///
/// It stands in for Foundation's `Process`, which on Linux reads past the end of a directory entry while it looks
/// through the open descriptors, and so ends a process that has a thousand of them now and then
/// (swift-corelibs-foundation, pull request 5472).
package final class ChildProcess: Sendable {
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    /// What it prints.
    package let output: FileHandle

    /// Its number, as long as its end has not been waited for.
    private let number: Locked<pid_t?>

    /// Starts a program, with none of this one's descriptors and nothing to read.
    ///
    /// - Parameters:
    ///   - program: The file to run.
    ///   - arguments: What follows its name.
    ///   - environment: What is set for it beside what is set here.
    ///   - quiet: Whether what it says of its errors goes nowhere.
    /// - Throws: `POSIXError`.
    package init(
        _ program: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        quiet: Bool = true
    ) throws {
        var ends: [Int32] = [-1, -1]
        try Self.check(pipe(&ends) == 0 ? 0 : errno)
        output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        defer { close(ends[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if quiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        _ = Self.addClosingFrom?(&actions, 3)

        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let words = ([program.path] + arguments).map { strdup($0) }
        let settings = all.map { strdup("\($0)=\($1)") }
        defer { (words + settings).forEach { free($0) } }
        var started = pid_t()
        try Self.check(posix_spawn(&started, program.path, &actions, nil, words + [nil], settings + [nil]))
        number = Locked(started)
    }

    private typealias AddClosingFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes the descriptors from one on (glibc 2.34). Swift does not see it, since glibc declares it for GNU's C
    /// only.
    private static let addClosingFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        .map { unsafeBitCast($0, to: AddClosingFrom.self) }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    /// The names of its threads now, as /proc says them (proc(5)).
    package var threadNames: [String] {
        let tasks = number.withLock { $0 }.map { "/proc/\($0)/task" } ?? ""
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return numbers.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .newlines) }
    }

    /// Sends it a signal, unless its end has been waited for.
    package func send(_ signal: Int32) {
        number.withLock { number in
            if let number { kill(number, signal) }
        }
    }

    /// Waits for its end. Blocks; to be called once.
    package func wait() -> End {
        guard let number = number.withLock({ $0 }) else { preconditionFailure("The end has been waited for.") }
        var status: Int32 = 0
        // It stays a process until its number is forgotten here, so no signal goes to one that has the number next.
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        self.number.withLock { kept in
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            kept = nil
        }
        let signal = status & 0x7f
        return signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    }

    /// What it prints to its end, and how it ends. Blocks.
    package func finish() throws -> (output: Data, end: End) {
        // Its end is waited for also when the output can't be read.
        let data = Result { try output.readToEnd() ?? Data() }
        let end = wait()
        return (try data.get(), end)
    }
}
#endif
