#if os(Linux) || os(Android)
import Basics
import Foundation
import FoundationNetworking

/// The framing of a request's body.
enum CurlFraming: Equatable {
    /// No body, and no `Content-Length`.
    case none
    /// A body with `Content-Length: 0`.
    case empty
    /// A body of this length; nil if it is not known.
    case body(length: Int64?)
    /// Bytes without any framing, once the connection is switched.
    case switched
}

/// A request as libcurl takes it, prepared on the thread of the caller.
struct CurlRequest: Sendable {
    /// The number of bytes allowed for interim heads and status lines beside the headers.
    static let headerSlack = 4_096

    let origin: Origin
    let url: URL
    let urlText: String
    let method: HTTPMethod
    let body: HTTPBody
    let upgrade: ConnectionUpgrade?
    /// Whether it may be sent again after a kept connection is lost. A change on condition would not meet its condition
    /// the second time.
    let mayRepeat: Bool
    /// The header lines, each with a zero byte at its end.
    private(set) var lines: [UInt8] = []
    let headerBytes: Int
    /// Whether the response may have any length.
    let isForStream: Bool
    private var hasContentType = false
    private static let conditions = ["If-Match", "If-None-Match", "If-Unmodified-Since"]

    /// - Parameter request: A request that has been checked.
    init(_ request: ExchangeRequest) {
        origin = request.origin
        url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        urlText = request.checkedURL?.text ?? ""
        method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        body = request.body
        upgrade = request.upgrade
        mayRepeat =
            upgrade == nil
            && (method.isSafe
                || method.isIdempotent
                    && Self.conditions.allSatisfy { request.urlRequest.value(forHTTPHeaderField: $0) == nil })
        headerBytes = min(request.limits.headerBytes, .max - Self.headerSlack) + Self.headerSlack
        isForStream = request.limits.responseBytes == .max
        addLines(of: request.wireHeaders(adding: request.upgrade?.headers ?? [:]))
    }

    var isSecure: Bool { origin.isSecure }

    private mutating func addLines(of headers: HTTPHeaders) {
        lines.reserveCapacity(256)
        var hasAcceptEncoding = false
        for (name, value) in headers {
            if name.equalsIgnoringCase("Content-Type") { hasContentType = true }
            if name.equalsIgnoringCase("Accept-Encoding") { hasAcceptEncoding = true }
            addLine(name, value)
        }
        if !hasAcceptEncoding, let accepted = ContentDecoder.accepted { addLine("Accept-Encoding", accepted) }
    }

    private mutating func addLine(_ name: String, _ value: String) {
        lines += name.utf8
        // libcurl's syntax for an empty value is a semicolon.
        lines += value.isEmpty ? ";".utf8 : ": ".utf8
        lines += value.utf8
        lines.append(0)
    }

    /// The lines for a body: those that suppress a header that libcurl would add, and the type of a body without one.
    func lines(for framing: CurlFraming) -> [String] {
        switch framing {
        case .none: []
        case .switched: ["Expect:", "Transfer-Encoding:"]
        case .empty: hasContentType ? [] : ["Content-Type:"]
        case .body: hasContentType ? ["Expect:"] : ["Expect:", "Content-Type: \(ExchangeRequest.typeOfBytes)"]
        }
    }
}
#endif
