import APIBaseKit
import DemoServer

@testable import apibase

/// A demo server, and a folder for downloads.
final class Lab {
    private let server = DemoAPIServer()
    let url: String
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lab-\(UInt64.random(in: 0 ... .max))")

    /// - Throws: The error of starting the server or of creating the folder.
    init() throws {
        url = try server.start().absoluteString
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The URL of a file of the server, and the path of a file in the folder.
    func file(_ name: String, _ query: String) -> String { "\(url)/lab/files/\(name)?\(query)" }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The names in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    /// The content of a file in the folder.
    func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    /// The content of a URL.
    func fetched(_ url: String) async throws -> Data {
        let call = HTTPCall()
        call.baseURL = URL(string: url)
        return try await call.value().data
    }
}
