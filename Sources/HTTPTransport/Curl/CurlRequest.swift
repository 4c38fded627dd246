#if os(Linux) || os(Android)
import Foundation
import FoundationNetworking

/// How libcurl is to frame what is sent.
enum CurlFraming: Equatable {
    /// No body, and no word about it.
    case none
    /// A body of no bytes.
    case empty
    /// A body of so many bytes; nil if that is not known.
    case body(length: Int64?)
}

/// A request in libcurl's terms, made on the thread of who sends it.
struct CurlRequest: Sendable {
    /// What interim heads and status lines may take beside the headers.
    static let headerSlack = 4_096

    private static let idempotent: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]

    let url: String
    let isSecure: Bool
    let method: String
    let lines: [String]
    let headerBytes: Int
    private let hasContentType: Bool

    init(_ request: ExchangeRequest, to origin: Origin) {
        isSecure = origin.scheme == "https"
        url = request.checkedURL?.text ?? ""
        method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET").rawValue
        headerBytes = min(request.limits.headerBytes, .max - Self.headerSlack) + Self.headerSlack
        var headers = request.wireHeaders(hasBody: method == "POST" || !request.body.isEmpty)
        if let accepted = CurlDecoder.accepted, !headers.contains(name: "Accept-Encoding") {
            headers.add(name: "Accept-Encoding", value: accepted)
        }
        hasContentType = headers.contains(name: "Content-Type")
        // A semicolon stands for a value of no bytes.
        lines = headers.map { $0.value.isEmpty ? $0.name + ";" : $0.name + ": " + $0.value }
    }

    /// Whether libcurl may send it again on another connection when a kept one has died (RFC 9110, section 9.2.2).
    var mayRepeat: Bool { Self.idempotent.contains(method) }

    /// Lines without a value, which take away what libcurl would add.
    func refusals(_ framing: CurlFraming) -> [String] {
        switch framing {
        case .none: []
        case .empty: hasContentType ? [] : ["Content-Type:"]
        case .body: ["Expect:"]
        }
    }
}
#endif
