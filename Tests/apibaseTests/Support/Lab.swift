import APIBaseKit
import DemoServer

@testable import apibase

/// A demo server, and a folder of its own for what is downloaded.
final class Lab {
    private let server: DemoAPIServer
    let url: String
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lab-\(UInt64.random(in: 0 ... .max))")

    /// - Parameter other: One in whose place it is to be, which is stopped; nil for any port that is free.
    /// - Throws: What kept the server from starting, or the folder from being made.
    init(insteadOf other: Lab? = nil) throws {
        other?.server.stop()
        server = DemoAPIServer(configuration: .init(port: UInt16(URL(string: other?.url ?? "")?.port ?? 0)))
        url = try server.start().absoluteString
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Has the server die, with all of its connections.
    func stop() { server.stop() }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The URL of a file of the lab, and the path of a file in the folder.
    func file(_ name: String, _ query: String) -> String { "\(url)/lab/files/\(name)?\(query)" }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The names in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// What a file of the folder has in it.
    func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    /// What the server has at a URL.
    func fetched(_ url: String) async throws -> Data {
        let call = HTTPCall()
        call.baseURL = URL(string: url)
        return try await call.value().data
    }
}
