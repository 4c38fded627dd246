import APIBaseKit
import Foundation

/// What one copy of this process does: a file through the kit, in one direction.
struct FileTransfer: Sendable, Codable {
    static let bytes = 1_000_000_000

    let way: Large.Way
    let url: URL
    let file: URL

    func run() async throws {
        let request = Transferred(url)
        switch way {
        case .download:
            for try await _ in request.download(to: file, resuming: false).values {}
        case .upload:
            request.method = .put
            request.content = .file(file)
            for try await _ in request.sendRequest().values {}
        }
    }

    /// The same by the command `curl`.
    var curl: [String] {
        switch way {
        case .download: ["-s", "-f", "-o", file.path, url.absoluteString]
        case .upload: ["-s", "-f", "-T", file.path, url.absoluteString]
        }
    }
}

private final class Transferred: APIBase {
    init(_ url: URL) {
        super.init()
        baseURL = url
    }
}
