#if os(Linux)
import Foundation

/// `openssl s_server` on a loopback port, which answers every request with a page about the connection, or with a
/// response of the test's as soon as it has read the line ``requestLine``.
package final class TLSServer: Sendable {
    struct NotReady: Error { let output: String }

    /// The line that has a server with a response of the test's send it, in whatever part of the request.
    package static let requestLine = "GET /response HTTP/1.0\r\n"

    package let port: UInt16
    private let process: ChildProcess

    /// A server that shows the certificate, and asks clients for one of the authority if there is one.
    package static func start(
        _ certificate: Authority.Certificate,
        askingFor authority: Authority? = nil,
        answering response: String? = nil,
        options: [String] = []
    ) async throws -> TLSServer {
        try await OpenSSL.offPool {
            let asking = authority.map { ["-Verify", "2", "-verify_return_error", "-CAfile", $0.certificate.path] }
            guard let response else { return try TLSServer(certificate, options + (asking ?? [])) }
            let folder = certificate.certificate.deletingLastPathComponent()
            try Data(response.utf8).write(to: folder.appendingPathComponent("response"))
            return try TLSServer(certificate, options + (asking ?? []) + ["-HTTP"])
        }
    }

    private init(_ certificate: Authority.Certificate, _ options: [String]) throws {
        guard let program = OpenSSL.program else { throw NotReady(output: "There is no openssl.") }
        let identity = ["-cert", certificate.certificate.path, "-key", certificate.key.path]
        // It looks for files where it was started.
        let start = ["-c", #"cd "$0" && exec "$@""#, certificate.certificate.deletingLastPathComponent().path]
        process = try ChildProcess(
            URL(fileURLWithPath: "/bin/sh"),
            start + [program.path, "s_server", "-www", "-accept", "127.0.0.1:0"] + identity + options
        )
        var text = ""
        // It ends in `ACCEPT 127.0.0.1:` and the port; at the end of the output it has not come up.
        while !text.hasSuffix("\n") || !text.contains("ACCEPT") {
            let data = process.output.availableData
            guard !data.isEmpty else { throw NotReady(output: text) }
            text += String(decoding: data, as: UTF8.self)
        }
        let line = text.split(separator: "\n").last { $0.hasPrefix("ACCEPT") } ?? ""
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            process.send(SIGKILL)
            throw NotReady(output: text)
        }
        self.port = port
        // What it prints about connections must go somewhere.
        process.output.readabilityHandler = { handle in
            if handle.availableData.isEmpty { handle.readabilityHandler = nil }
        }
    }

    package func stop() {
        process.send(SIGKILL)
        _ = process.wait()
    }
}
#endif
