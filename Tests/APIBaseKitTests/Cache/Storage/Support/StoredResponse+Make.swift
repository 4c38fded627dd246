import APIBaseKit
import Basics
@testable import APIBaseCache

extension StoredResponse {
    /// A reply whose parts are all set.
    static func make(body: Data = Data("body".utf8)) -> StoredResponse {
        StoredResponse(
            method: .get,
            varying: ["accept-language": digest(of: "de, en"), "cookie": nil, "x-empty": digest(of: "")],
            ReceivedHead(
                statusCode: 203,
                headers: ["Set-Cookie": "a=1", "ETag": "\"ä\"", "set-cookie": "b=2", "X-Empty": "", "Vary": "Cookie"],
                requestedAt: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
                receivedAt: Date(timeIntervalSince1970: 1_700_000_000.123_456_7)
            ),
            body: body,
            isInvalid: true
        )
    }
}

extension ResponseKey {
    /// A key of digests of two texts.
    init(_ url: String, _ user: String = "") { self.init(url: SHA256.hex(of: url), user: SHA256.hex(of: user)) }
}
