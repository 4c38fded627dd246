#if os(Linux)
import APIBaseKit
import Glibc

/// A pseudo-terminal (pty(7)), with the command as a child process.
final class PseudoTerminal {
    private let master: Int32
    private let child: pid_t

    /// Starts the command that is beside this program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after its name.
    ///   - environment: Variables in addition to those of this process.
    ///   - columns: The width of the terminal.
    /// - Throws: `POSIXError`.
    init(_ arguments: [String], environment: [String: String] = [:], columns: UInt16 = 100) throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try Self.check(openpty(&master, &slave, nil, nil, &size) == 0 ? 0 : errno)
        self.master = master
        defer { close(slave) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 { posix_spawn_file_actions_adddup2(&actions, slave, descriptor) }
        posix_spawn_file_actions_addclose(&actions, master)
        posix_spawn_file_actions_addclose(&actions, slave)

        let own = ProcessInfo.processInfo.environment.filter { $0.key != "NO_COLOR" && $0.key != "TERM" }
        let words = ([Self.program.path] + arguments).map { strdup($0) }
        let settings = own.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }.map { strdup("\($0)=\($1)") }
        defer { (words + settings).forEach { free($0) } }
        var started = pid_t()
        let code = posix_spawn(&started, Self.program.path, &actions, nil, words + [nil], settings + [nil])
        if code != 0 { close(master) }
        try Self.check(code)
        child = started
    }

    deinit { close(master) }

    /// The command, beside the tests.
    static let program = (Bundle.main.executableURL ?? URL(fileURLWithPath: "/")).deletingLastPathComponent()
        .appendingPathComponent("apibase")

    func send(_ signal: Int32) { kill(child, signal) }

    /// Changes the width of the terminal, which sends `SIGWINCH` to the command.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Waits until the command has ended. Blocks.
    ///
    /// - Parameter onText: Called with the output so far, whenever it grows.
    /// - Returns: The output, and the exit code or the negative number of a signal.
    func finish(onText: (String) -> Void = { _ in }) -> (text: String, code: Int32) {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // EIO after the other end is closed.
        while case let count = read(master, &buffer, buffer.count), count > 0 {
            data.append(contentsOf: buffer[..<count])
            onText(String(decoding: data, as: UTF8.self))
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return (String(decoding: data, as: UTF8.self), signal == 0 ? status >> 8 & 0xFF : -signal)
    }

    private static func check(_ code: Int32) throws {
        if code != 0 { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    }
}
#endif
