import Basics

#if canImport(FoundationNetworking)
package import FoundationNetworking
#else
package import Foundation
#endif

/// A request method: one of the known methods, or any other token.
///
/// The known methods are converted to upper case (`URLSession` on Linux would send `patch` as it is). Other methods are
/// case-sensitive (RFC 9110, section 9.1). A value that is not a token fails when the request is checked.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method from any text; `get`, `post` and the other known methods are converted to upper case.
    public init(rawValue: String) {
        self.rawValue = Self.known.first { $0.equalsIgnoringCase(rawValue) } ?? rawValue
    }

    private init(known rawValue: String) {
        self.rawValue = rawValue
    }

    /// `GET`: reads; takes no body here.
    public static let get = HTTPMethod(known: "GET")
    /// `HEAD`: `GET` without the body of the response.
    public static let head = HTTPMethod(known: "HEAD")
    /// `POST`: has the resource process the body. Not idempotent.
    public static let post = HTTPMethod(known: "POST")
    /// `PUT`: stores the body under the URL.
    public static let put = HTTPMethod(known: "PUT")
    /// `PATCH`: changes a part (RFC 5789). Not idempotent.
    public static let patch = HTTPMethod(known: "PATCH")
    /// `DELETE`: removes what is under the URL.
    public static let delete = HTTPMethod(known: "DELETE")
    /// `OPTIONS`: asks what can be done.
    public static let options = HTTPMethod(known: "OPTIONS")
    /// `QUERY`: reads what the body asks for (RFC 10008). Safe like `GET`; its `Content-Type` is required.
    public static let query = HTTPMethod(known: "QUERY")

    /// Whether the method only reads (RFC 9110, section 9.2.1; RFC 10008, section 2). False for unknown methods.
    public var isSafe: Bool {
        switch rawValue {
        case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY": true
        default: false
        }
    }

    /// Whether doing it twice is the same as doing it once (RFC 9110, section 9.2.2). False for unknown
    /// methods.
    public var isIdempotent: Bool {
        isSafe || rawValue == "PUT" || rawValue == "DELETE"
    }

    /// Whether a body means something, so that an empty one is announced with `Content-Length: 0` (RFC 9110, section
    /// 8.6).
    package var expectsBody: Bool { !isSafe || self == .query }

    /// The method as it is sent.
    public var description: String { rawValue }

    private static let known = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY",
    ]
}

extension URLRequest {
    /// The method; `GET` if none is set.
    package var method: HTTPMethod { HTTPMethod(rawValue: httpMethod ?? "GET") }
}
