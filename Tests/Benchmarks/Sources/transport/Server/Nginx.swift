import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// nginx on two free ports of the loopback interface, in a folder of its own.
final class Nginx {
    enum Problem: Error, CustomStringConvertible {
        case notInstalled(String)
        case didNotStart(log: String)
        case noAnswer

        var description: String {
            switch self {
            case .notInstalled(let name):
                "\(name) was not found. On Debian, Tests/Benchmarks/install installs it: apt-get install nginx-light openssl curl"
            case .didNotStart(let log): "nginx did not start: \(log)"
            case .noAnswer: "nginx did not tell how many connections there were"
            }
        }
    }

    let folder: URL
    let plain: URL
    let secure: URL
    let authorities: URL
    private let process = Process()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("transport-\(UUID().uuidString)")
        let (first, second) = try (freePort(), freePort())
        plain = try URL(checking: "http://127.0.0.1:\(first)")
        secure = try URL(checking: "https://127.0.0.1:\(second)")
        authorities = folder.appendingPathComponent("certificate.pem")
        for name in ["files", "uploads", "temporary"] {
            let url = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        try writeFiles()
        try makeCertificate()
        let configuration = Self.configuration(in: folder, plain: first, secure: second)
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        process.executableURL = try Self.find("nginx")
        process.arguments = ["-p", folder.path, "-c", folder.appendingPathComponent("nginx.conf").path]
        process.arguments? += ["-e", folder.appendingPathComponent("error.log").path]
        try process.run()
        try waitUntilItListens(on: first)
    }

    /// Stops the server and removes its folder.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// How many connections the server has accepted so far, that for this question included.
    func accepted() async throws -> Int {
        let request = URLRequest(url: plain.appendingPathComponent("status"))
        let session = CurlSession()
        for try await reply in session.response(to: ExchangeRequest(request)).values {
            let numbers = String(decoding: reply.data, as: UTF8.self).split(separator: "\n").dropFirst(2).first
            if let count = numbers?.split(separator: " ").first.flatMap({ Int($0) }) {
                await session.shutdown()
                return count
            }
        }
        throw Problem.noAnswer
    }

    /// Bytes of what the server sends for this path.
    func length(of path: String) throws -> Int {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try Data(contentsOf: folder.appendingPathComponent("files/" + name)).count
    }

    /// How long the server took to send or to take the last large body, in seconds.
    var lastLargeRequest: Double? {
        let log = try? String(contentsOf: folder.appendingPathComponent("large.log"), encoding: .utf8)
        return log?.split(separator: "\n").last.flatMap { Double($0) }
    }
}

extension Nginx {
    static func find(_ name: String) throws -> URL {
        for folder in ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/local/nginx/sbin"] {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
        }
        throw Problem.notInstalled(name)
    }

    private func writeFiles() throws {
        let files = folder.appendingPathComponent("files")
        try Users.json.write(to: files.appendingPathComponent("users"))
        try Data(repeating: 0x61, count: 1 << 20).write(to: files.appendingPathComponent("megabyte"))
        let large = files.appendingPathComponent("large")
        try Data().write(to: large)
        try FileHandle(forWritingTo: large).truncate(atOffset: UInt64(Large.bytes))
    }

    private func makeCertificate() throws {
        let openssl = Process()
        openssl.executableURL = try Self.find("openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", folder.appendingPathComponent("key.pem").path, "-out", authorities.path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
    }

    private func waitUntilItListens(on port: UInt16) throws {
        for _ in 0..<500 where process.isRunning {
            if canConnect(to: port) { return }
            usleep(10_000)
        }
        let log = try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)
        stop()
        throw Problem.didNotStart(log: log ?? "no log")
    }
}
