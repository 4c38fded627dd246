#if os(Linux)
package import Foundation
import Basics

/// A child process, with its output in a pipe.
///
/// Replaces Foundation's `Process`, which on Linux reads past the end of a directory entry while it lists
/// the open descriptors, and so crashes some processes with a thousand of them (swift-corelibs-foundation, pull
/// request 5472).
package final class ChildProcess: Sendable {
    package enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    /// The output of the program.
    package let output: FileHandle

    /// The process ID, until the process is waited for.
    private let number: Locked<pid_t?>

    /// Starts a program without descriptors of this process and without input.
    ///
    /// - Parameters:
    ///   - program: The file to run.
    ///   - arguments: The arguments after its name.
    ///   - environment: Variables in addition to those of this process.
    ///   - quiet: Whether to discard the standard error.
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

    /// Closes all descriptors from a number on (glibc 2.34). Swift does not import it, because glibc declares it for
    /// GNU C.
    private static let addClosingFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        .map { unsafeBitCast($0, to: AddClosingFrom.self) }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }

    /// The names of its threads (proc(5)).
    package var threadNames: [String] {
        let tasks = number.withLock { $0 }.map { "/proc/\($0)/task" } ?? ""
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return numbers.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .newlines) }
    }

    /// Sends a signal, unless the process was waited for.
    package func send(_ signal: Int32) {
        number.withLock { number in
            if let number { kill(number, signal) }
        }
    }

    /// Waits for the end of the process. Blocks. Must be called once.
    package func wait() -> End {
        guard let number = number.withLock({ $0 }) else { preconditionFailure("The end has been waited for.") }
        var status: Int32 = 0
        // The process stays a zombie until its ID is cleared, so no signal reaches another process with the same ID.
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        self.number.withLock { kept in
            while waitpid(number, &status, 0) < 0, errno == EINTR {}
            kept = nil
        }
        let signal = status & 0x7f
        return signal == 0 ? .exit((status >> 8) & 0xff) : .signal(signal)
    }

    /// The whole output, and how the process ended. Blocks.
    package func finish() throws -> (output: Data, end: End) {
        // Waits also if the output cannot be read.
        let data = Result { try output.readToEnd() ?? Data() }
        let end = wait()
        return (try data.get(), end)
    }
}
#endif
