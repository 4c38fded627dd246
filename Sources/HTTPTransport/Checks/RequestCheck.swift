import Basics
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The one validator: what passes it can be sent without becoming anything else on the wire.
///
/// It throws, and never drops or repairs: a header that silently disappears would send a request without its
/// credentials. Foundation on Linux checks header values alone, and only through one of its doors.
public enum RequestCheck {
    /// Checks method, URL and headers, and `Content-Length` against the request's own body if it has one.
    ///
    /// - Throws: What is wrong, the first thing that is.
    public static func check(_ request: URLRequest) throws(InvalidRequest) {
        if let body = request.httpBody {
            try check(request, hasBody: !body.isEmpty, length: .known(Int64(body.count)))
        } else if request.httpBodyStream != nil {
            try check(request, hasBody: true, length: .undecided)
        } else {
            try check(request, hasBody: false, length: .known(0))
        }
    }

    /// Checks method, URL and headers, and `Content-Length` against `body`; the request's own body is ignored.
    ///
    /// - Throws: What is wrong, the first thing that is.
    public static func check(_ request: URLRequest, body: HTTPBody) throws(InvalidRequest) {
        _ = try checked(request, body: body)
    }

    /// Checks the same, and returns the URL as the check has read it.
    ///
    /// - Throws: What is wrong, the first thing that is.
    package static func checked(_ request: URLRequest, body: HTTPBody) throws(InvalidRequest) -> CheckedURL {
        try checked(request, hasBody: !body.isEmpty, length: body.count.map(Length.known) ?? .unknown)
    }

    /// The length of the body, as far as it is known.
    enum Length {
        case known(Int64)
        /// Nothing: any declaration is refused.
        case unknown
        /// Whoever sends the body will compare: any number passes.
        case undecided
    }

    private static func check(_ request: URLRequest, hasBody: Bool, length: Length) throws(InvalidRequest) {
        _ = try checked(request, hasBody: hasBody, length: length)
    }

    private static func checked(
        _ request: URLRequest,
        hasBody: Bool,
        length: Length
    ) throws(InvalidRequest) -> CheckedURL {
        try check(method: request.httpMethod ?? "GET", hasBody: hasBody)
        guard let url = request.url else { throw InvalidRequest(.url, .missing) }
        let checked = try CheckedURL(url)
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            try check(name: name, value: value, length: length)
        }
        return checked
    }

    /// Checks a method while it is still what was given: `URLRequest` writes some that only look like known ones large.
    ///
    /// - Throws: What is wrong with it.
    public static func check(_ method: HTTPMethod) throws(InvalidRequest) {
        guard method.rawValue.isToken else { throw InvalidRequest(.method, .notAToken) }
    }

    private static func check(method: String, hasBody: Bool) throws(InvalidRequest) {
        let method = HTTPMethod(rawValue: method)
        try check(method)
        guard method.rawValue != "CONNECT" else { throw InvalidRequest(.method, .unsupportedMethod) }
        if hasBody, method == .get || method == .head { throw InvalidRequest(.body, .bodyNotAllowed) }
    }
}
