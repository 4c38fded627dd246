import Foundation
import Hummingbird

extension Receipt: ResponseCodable {}

/// An upload on its way to the archive.
enum Import {
    static let limit = 10 << 20

    /// Keeps the whole upload, so that it can be sent again if the archive fails.
    static func pass(on request: Hummingbird.Request) async throws -> Receipt {
        let upload = try await request.body.collect(upTo: limit)
        return try await StoreRequest(Data(upload.readableBytesView), type: request.headers[.contentType]).value()
    }
}
