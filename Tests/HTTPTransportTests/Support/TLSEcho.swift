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

    static func start(_ certificate: Authority.Certificate) async throws -> TLSEcho {
        try await OpenSSL.offPool { try TLSEcho(certificate) }
    }

    private init(_ certificate: Authority.Certificate) throws {
        guard let program = OpenSSL.program else { throw CocoaError(.fileNoSuchFile) }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("TLSEcho-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The server says its port, then much about the connection, then what the client sends.
        let script = #"""
            cd "$0" && mkfifo up down
            {
                until [ "${line#ACCEPT}" != "$line" ]; do IFS= read -r line || exit; done
                echo "$line" >&3
                until [ "$line" = "$(printf '\r')" ]; do IFS= read -r line || exit; done
                printf 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nearly'
                exec cat
            } 3>&1 >down <up &
            exec "$@" <down >up
            """#
        let files = ["-cert", certificate.certificate.path, "-key", certificate.key.path]
        let server = [program.path, "s_server", "-accept", "127.0.0.1:0"] + files
        process = try ChildProcess(URL(fileURLWithPath: "/bin/sh"), ["-c", script, folder.path] + server)
        var line = ""
        while !line.hasSuffix("\n") {
            let data = process.output.availableData
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
            line += String(decoding: data, as: UTF8.self)
        }
        guard let port = line.dropLast().split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw CocoaError(.fileReadUnknown)
        }
        self.port = port
    }

    func stop() {
        process.send(SIGKILL)
        _ = process.wait()
        try? FileManager.default.removeItem(at: folder)
    }
}
#endif
