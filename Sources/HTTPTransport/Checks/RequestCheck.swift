import Basics
#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// The check of every request before it is sent: what passes is not changed on its way.
///
/// Problems are thrown, never repaired: a header that silently disappears would send a request without its credentials.
/// Foundation on Linux checks only header values, and not everywhere.
package enum RequestCheck {
    /// Checks method, URL and headers, and `Content-Length` against `body`; the request's own body is ignored. A `QUERY`
    /// needs a `Content-Type`.
    ///
    /// - Throws: The first problem.
    package static func check(_ request: URLRequest, body: HTTPBody) throws(TransportError.InvalidRequest) {
        _ = try checked(request, body: body)
    }

    /// Checks the same, and returns the parsed URL.
    ///
    /// - Throws: The first problem.
    package static func checked(_ request: URLRequest, body: HTTPBody) throws(TransportError.InvalidRequest)
        -> CheckedURL
    {
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        try check(method)
        guard method.rawValue != "CONNECT" else { throw TransportError.InvalidRequest(.method, .unsupportedMethod) }
        if !body.isEmpty, method == .get || method == .head {
            throw TransportError.InvalidRequest(.body, .bodyNotAllowed)
        }
        // A server must refuse it (RFC 10008, section 2.1). The type that other bodies get then would tell it nothing.
        if method == .query, request.value(forHTTPHeaderField: "Content-Type")?.isEmpty ?? true {
            throw TransportError.InvalidRequest(.headerValue(name: "Content-Type"), .missing)
        }
        guard let url = request.url else { throw TransportError.InvalidRequest(.url, .missing) }
        let checked = try CheckedURL(url)
        let length = body.count.map(Length.known) ?? .unknown
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            try check(name: name, value: value, length: length)
        }
        return checked
    }

    /// Checks a method before it is set on a `URLRequest`, which converts some look-alikes of known methods to upper
    /// case.
    ///
    /// - Throws: The problem with it.
    package static func check(_ method: HTTPMethod) throws(TransportError.InvalidRequest) {
        guard method.rawValue.isToken else { throw TransportError.InvalidRequest(.method, .notAToken) }
    }

    /// Checks headers before they are set on a `URLRequest`: as keys of a dictionary, a name and its look-alike can be
    /// equal.
    ///
    /// - Throws: The first problem.
    package static func check(_ headers: HTTPHeaders) throws(TransportError.InvalidRequest) {
        for (name, value) in headers { try check(name: name, value: value, length: .undecided) }
    }
}

// MARK: Header fields

extension RequestCheck {
    /// The length of the body, as far as it is known.
    enum Length {
        case known(Int64)
        /// The length is not known: any declaration is refused.
        case unknown
        /// There is no body yet: any number passes, and is checked when the request is sent.
        case undecided
    }

    /// Names that the transport sets itself, because a wrong value changes where a message ends or whom it reaches
    /// (RFC 9110, section 7.6.1; RFC 9112, section 6). All names that begin with `proxy-`, and with `sec-websocket-`
    /// (RFC 6455, section 11.3), are reserved as well.
    private static let reserved: [StaticString] = [
        "transfer-encoding", "host", "connection", "expect", "te", "trailer", "upgrade", "keep-alive",
    ]

    /// The only field that is sent as UTF-8 (HTML standard, section 9.2.3).
    private static let eventID = "last-event-id"

    /// Checks one field. `Content-Length` must be the length of the body, in plain digits.
    static func check(name: String, value: String, length: Length) throws(TransportError.InvalidRequest) {
        guard name.isToken else { throw TransportError.InvalidRequest(.headerName(name), .notAToken) }
        guard !name.withBytes(isReserved) else { throw TransportError.InvalidRequest(.headerName(name), .reserved) }
        try check(value: value, of: name)
        if name.equalsIgnoringCase("content-length") { try check(contentLength: value, of: name, length: length) }
    }

    private static func isReserved(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.matches("proxy-", at: 0) || name.matches("sec-websocket-", at: 0)
            || reserved.contains { name.equalsIgnoringCase($0) }
    }

    private static func check(value: String, of name: String) throws(TransportError.InvalidRequest) {
        let problem = value.withBytes { bytes -> TransportError.InvalidRequest.Problem? in
            let forbidden = bytes.first { !($0.isFieldCharacter || $0 >= 0x80 && name.equalsIgnoringCase(eventID)) }
            if let forbidden { return .forbiddenByte(forbidden) }
            guard let first = bytes.first, let last = bytes.last else { return nil }
            return first.isBlank || last.isBlank ? .surroundingWhitespace : nil
        }
        if let problem { throw TransportError.InvalidRequest(.headerValue(name: name), problem) }
    }

    private static func check(contentLength value: String, of name: String, length: Length) throws(TransportError
        .InvalidRequest)
    {
        let declared = value.utf8.allSatisfy(\.isASCIIDigit) ? Int64(value) : nil
        let (fits, actual): (Bool, Int64?) =
            switch length {
            case .known(let actual): (declared == actual, actual)
            case .unknown: (false, nil)
            case .undecided: (declared != nil, nil)
            }
        if !fits { throw TransportError.InvalidRequest(.headerValue(name: name), .wrongLength(actual: actual)) }
    }
}

extension UInt8 {
    fileprivate var isFieldCharacter: Bool { (0x20...0x7E).contains(self) || self == UInt8(ascii: "\t") }
}
