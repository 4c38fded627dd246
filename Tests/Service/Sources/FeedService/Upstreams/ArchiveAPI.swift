import APIBaseKit

class ArchiveAPI: UpstreamAPI {
    override class var baseURL: URL? { URL(string: "https://archive.example") }
}

/// Stores a file. The key lets the archive know the attempts of one call.
final class StoreRequest: ArchiveAPI, APIRequest {
    typealias ModelType = Receipt

    init(_ file: Data, type: String?) {
        super.init(.post("/files", content: .data(file, type: type)))
        idempotencyKey = .automatic
    }
}

struct Receipt: Codable, Hashable, Sendable {
    var id: String
    var bytes: Int
}
