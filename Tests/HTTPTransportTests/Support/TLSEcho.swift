#if os(Linux)
import Dispatch
import Foundation
import HostileServer
import LoopbackServer

/// A TLS server for one connection, which switches it and sends back all that it gets: `openssl s_server` with a shell
/// behind it.
final class TLSEcho: Sendable {
    let port: UInt16
    private let process: ChildProcess
    private let folder: URL

    init(_ certificate: Authority.Certificate) throws {
        guard let program = OpenSSL.program else { throw CocoaError(.fileNoSuchFile) }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("TLSEcho-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = try SocketListener { _ in }
        port = place.port
        place.stop()
        let script = #"""
            cd "$0" && mkfifo up down && exec 3<>up 4<>down
            "$@" <&4 >&3 &
            while IFS= read -r line <&3 && [ "$line" != "$(printf '\r')" ]; do :; done
            printf 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nearly' >&4
            exec cat <&3 >&4
            """#
        let files = ["-cert", certificate.certificate.path, "-key", certificate.key.path]
        let server = [program.path, "s_server", "-quiet", "-accept", "127.0.0.1:\(port)"] + files
        process = try ChildProcess(URL(fileURLWithPath: "/bin/sh"), ["-c", script, folder.path] + server)
        try waitForPort()
    }

    /// It says nothing when it listens.
    private func waitForPort() throws {
        for _ in 0..<1_000 {
            if let connection = try? SocketConnection(connectingTo: port) { return connection.close() }
            usleep(10_000)
        }
        throw CocoaError(.fileReadUnknown)
    }

    func stop() {
        process.send(SIGKILL)
        _ = process.wait()
        try? FileManager.default.removeItem(at: folder)
    }
}
#endif
