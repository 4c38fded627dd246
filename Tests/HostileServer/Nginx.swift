#if os(Linux)
import LoopbackServer
package import Foundation
package import HTTPTransport

/// nginx on free loopback ports: it supports HTTP/2, and forwards requests to a server of the test.
///
/// The header `Connection-Number` of its responses is the number of the connection.
package final class Nginx: Sendable {
    struct NotReady: Error { let log: String }

    /// The path of the program; `nil` if it is not installed.
    package static let program: URL? = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/nginx/sbin"]
        .map { URL(fileURLWithPath: $0).appendingPathComponent("nginx") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// Whether its tests can run: they need nginx and openssl.
    package static var isAvailable: Bool { program != nil && OpenSSL.program != nil }

    /// The port for TLS, as `localhost`, with a certificate of ``authority``.
    package let securePort: UInt16

    /// The port for HTTP/2 without TLS.
    package let plainPort: UInt16

    package let authority: Authority
    private let folder: URL
    private let process: ChildProcess

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - backend: The port to forward to. `/files/` is served and stored by nginx itself.
    ///   - settings: Directives for the servers.
    /// - Returns: The listening server.
    /// - Throws: The error of the start.
    package static func start(for backend: UInt16, _ settings: String = "") async throws -> Nginx {
        let authority = try await Authority.make()
        let certificate = try await authority.certify("localhost")
        return try await OpenSSL.offPool {
            // Another process may have taken a port that was free.
            for _ in 0..<3 {
                if let nginx = try Nginx(backend, settings, authority, certificate) { return nginx }
            }
            authority.remove()
            throw NotReady(log: "There is no port.")
        }
    }

    /// `nil` if it did not start.
    private init?(
        _ backend: UInt16,
        _ settings: String,
        _ authority: Authority,
        _ certificate: Authority.Certificate
    ) throws {
        guard let program = Self.program else { throw NotReady(log: "There is no nginx.") }
        self.authority = authority
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("files"),
            withIntermediateDirectories: true
        )
        let places = try [SocketListener(host: "127.0.0.1") { _ in }, SocketListener(host: "127.0.0.1") { _ in }]
        (securePort, plainPort) = (places[0].port, places[1].port)
        for place in places { place.stop() }
        let file = folder.appendingPathComponent("nginx.conf")
        let text = Self.configuration(
            folder.path,
            backend,
            settings,
            secure: "\(securePort) ssl http2; ssl_certificate \(certificate.certificate.path);"
                + " ssl_certificate_key \(certificate.key.path)",
            plain: "\(plainPort) http2"
        )
        try Data(text.utf8).write(to: file)
        let log = folder.appendingPathComponent("log").path
        process = try ChildProcess(program, ["-p", folder.path, "-c", file.path, "-e", log])
        if isUp() { return }
        process.send(SIGKILL)
        _ = process.wait()
        try? FileManager.default.removeItem(at: folder)
        return nil
    }

    /// nginx writes its PID file after it has bound its ports, and its output ends with the process.
    private func isUp() -> Bool {
        var output = pollfd(fd: process.output.fileDescriptor, events: 0, revents: 0)
        let number = folder.appendingPathComponent("pid").path
        for _ in 0..<6_000 {
            if FileManager.default.fileExists(atPath: number) { return true }
            if poll(&output, 1, 10) != 0 { return false }
        }
        return false
    }

    package func stop() {
        process.send(SIGKILL)
        _ = process.wait()
        authority.remove()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The configuration of a session that trusts it.
    package var configuration: CurlSession.Configuration {
        var configuration = CurlSession.Configuration()
        configuration.certificateAuthorities = authority.certificate
        configuration.addresses["localhost:\(securePort)"] = ["127.0.0.1"]
        return configuration
    }

    package func url(_ path: String = "/") -> URL {
        URL(string: "https://localhost:\(securePort)\(path)") ?? folder
    }

    /// A file that nginx serves at `/files/` and its name, and that a PUT there replaces.
    package func file(_ name: String) -> URL {
        folder.appendingPathComponent("files").appendingPathComponent(name)
    }

    private static func configuration(
        _ folder: String,
        _ backend: UInt16,
        _ settings: String,
        secure: String,
        plain: String
    ) -> String {
        let server = """
                add_header Connection-Number $connection always;
                \(settings)
                location / { proxy_pass http://127.0.0.1:\(backend); }
                location /through/ {
                    proxy_pass http://127.0.0.1:\(backend);
                    proxy_buffering off;
                    proxy_request_buffering off;
                }
                location /files/ { root \(folder); dav_methods PUT; }
                location /trailers/ { alias \(folder)/files/; add_trailer Checksum abc always; }
            """
        return """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            events { worker_connections 1024; }
            http {
                access_log off;
                default_type application/octet-stream;
                client_max_body_size 0;
                large_client_header_buffers 8 128k;
                http2_recv_buffer_size 256k;
                client_body_temp_path \(folder)/bodies;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                proxy_http_version 1.1;
                client_body_timeout 300s;
                send_timeout 300s;
                keepalive_timeout 300s;
                proxy_read_timeout 300s;
                proxy_send_timeout 300s;
                proxy_buffer_size 128k;
                proxy_buffers 8 128k;
                server { listen 127.0.0.1:\(secure); \(server) }
                server { listen 127.0.0.1:\(plain); \(server) }
            }
            """
    }
}
#endif
