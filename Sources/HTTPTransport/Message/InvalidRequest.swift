public import Foundation

extension TransportError {
    /// The error of a request that must not be sent: the part that is wrong, and the problem with it.
    ///
    /// It has the name of a header, never the value.
    public struct InvalidRequest: Error, Sendable, Hashable {
        /// The part that is wrong.
        public enum Part: Sendable, Hashable {
            /// The URL, or the component of it that ``Problem`` is about.
            case url
            /// The method.
            case method
            /// This name of a header.
            case headerName(String)
            /// The value of the header with this name.
            case headerValue(name: String)
            /// The body.
            case body
            /// The name of a user.
            case userName
            /// The password of a user.
            case password
            /// An access token.
            case token
            /// The name of a server that gets tokens, counted from 1 in its list.
            case server(Int)
        }

        /// The problem with the part.
        public enum Problem: Sendable, Hashable {
            /// It is missing or empty.
            case missing
            /// It is not a token (RFC 9110, section 5.6.2).
            case notAToken
            /// It contains this byte, which is not allowed there.
            case forbiddenByte(UInt8)
            /// It begins or ends with a space or a tab, as text that was read from a file may.
            case surroundingWhitespace
            /// It has a colon, which separates the user's name from the password (RFC 7617, section 2).
            case colon
            /// It is set by the transport itself.
            case reserved
            /// It names something twice.
            case repeated
            /// It declares a wrong length of the body; `actual` is nil if the length is not known.
            case wrongLength(actual: Int64?)
            /// The scheme is neither `http` nor `https`.
            case unsupportedScheme
            /// There is no host, or it is not a plain name or address. International names must be in their `xn--`
            /// form.
            case badHost
            /// The port is not a number from 1 to 65535.
            case badPort
            /// It does not name a server as `api.example`, `*.api.example` and `http://api.example:8080` do.
            case notAServer
            /// There is a user name or password in the URL. It belongs into an `Authorization` header.
            case userInfo
            /// There is a fragment (`#…`), which is never sent.
            case fragment
            /// The path has a segment `.` or `..`, possibly written `%2e`.
            case dotSegment
            /// There is a `%` without two hexadecimal digits.
            case badEscape
            /// The method does not take a body. Use query items, or another method (`POST`, `PUT`, `PATCH`).
            case bodyNotAllowed
            /// This method is not for requests to a server.
            case unsupportedMethod
            /// The method is not `GET`, the only one of a socket, and the only one that an event source may repeat.
            case notGET
            /// The file is missing, is not a regular file, or is not readable.
            case unreadableFile
            /// The stream could not be created or read.
            case unreadableStream
            /// The engine of this platform cannot connect to an IPv6 address in a URL; a host name works.
            case unsupportedIPv6Literal
        }

        /// The part that is wrong.
        public let part: Part

        /// The problem with the part.
        public let problem: Problem

        /// Creates the error.
        public init(_ part: Part, _ problem: Problem) {
            self.part = part
            self.problem = problem
        }
    }
}

extension TransportError.InvalidRequest: LocalizedError, CustomStringConvertible {
    /// One sentence with the part and the problem.
    public var description: String { "\(part) \(problem)." }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension TransportError.InvalidRequest.Part: CustomStringConvertible {
    /// The part, as the beginning of a sentence.
    public var description: String {
        switch self {
        case .url: "The URL"
        case .method: "The method"
        case .headerName(let name): "The header name \(name.debugDescription)"
        case .headerValue(let name): "The value of the header \(name)"
        case .body: "The body"
        case .userName: "The user name"
        case .password: "The password"
        case .token: "The token"
        case .server(let number): "Name \(number) of the servers that get tokens"
        }
    }
}

extension TransportError.InvalidRequest.Problem: CustomStringConvertible {
    /// The problem, as the end of a sentence.
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .notAToken: "is not a token (letters, digits and !#$%&'*+-.^_`|~)"
        case .forbiddenByte(let byte): "contains the byte 0x\(String(byte, radix: 16)), which may not be sent there"
        case .surroundingWhitespace: "begins or ends with white space"
        case .colon: "contains a colon, which would separate it from the password"
        case .reserved: "belongs to the transport, which sets it itself"
        case .repeated: "names something twice"
        case .wrongLength(let actual?): "does not fit the body, which has \(actual) bytes"
        case .wrongLength(nil): "declares a length that cannot be compared with the body's"
        case .unsupportedScheme: "has a scheme other than http and https"
        case .badHost: "has no host, or one that is not a plain name or address"
        case .badPort: "has a port that is not a number from 1 to 65535"
        case .notAServer: "is not one such as api.example, *.api.example or http://api.example:8080"
        case .userInfo: "contains a user name or password; use an Authorization header"
        case .fragment: "has a fragment, which is never sent; remove it"
        case .dotSegment: "has a segment '.' or '..' in its path"
        case .badEscape: "has a '%' without two hexadecimal digits; a percent sign itself is written %25"
        case .bodyNotAllowed: "is not allowed with GET and HEAD; use query items, or POST, PUT or PATCH"
        case .unsupportedMethod: "is not for requests to a server"
        case .notGET: "is not GET, as sockets and event sources need it; replyEvents() reads events of other methods"
        case .unreadableFile: "is not a regular file that may be read"
        case .unreadableStream: "is a stream that could not be read to its end"
        case .unsupportedIPv6Literal: "has an IPv6 address as its host, which this engine cannot reach; use a name"
        }
    }
}
