public import Foundation

/// A request that must not be sent: which part of it, and what is wrong with it.
///
/// It names a header, never the header's value.
public struct InvalidRequest: Error, Sendable, Hashable {
    /// The part that is wrong.
    public enum Part: Sendable, Hashable {
        /// The URL, or the component of it that ``Problem`` is about.
        case url
        /// The method.
        case method
        /// The name of a header, given as it came.
        case headerName(String)
        /// The value of the header with this name.
        case headerValue(name: String)
        /// The body.
        case body
    }

    /// The reason why it is refused.
    public enum Problem: Sendable, Hashable {
        /// There is none, or it is empty.
        case missing
        /// It is not a token (RFC 9110, section 5.6.2).
        case notAToken
        /// It contains this byte, which may not stand there.
        case forbiddenByte(UInt8)
        /// It begins or ends with a space or a tab, as text read from a file may.
        case outerSpace
        /// It belongs to the transport, which sets it itself.
        case reserved
        /// It declares a length that the body does not have; `actual` is nil if that is not known.
        case wrongLength(actual: Int64?)
        /// The scheme is neither `http` nor `https`.
        case unsupportedScheme
        /// There is no host, or one that is not a plain name or address; an international one must be in its `xn--` form.
        case badHost
        /// The port is not a number from 1 to 65535.
        case badPort
        /// There is a user name or password in the URL; an `Authorization` header is the place for it.
        case userInfo
        /// There is a fragment (`#…`), which is never sent.
        case fragment
        /// The path has a segment `.` or `..`, perhaps written `%2e`.
        case dotSegment
        /// There is a `%` without two hexadecimal digits.
        case badEscape
        /// The method does not take a body: query items or another method (`POST`, `PUT`, `PATCH`) do.
        case bodyNotAllowed
        /// This method is not for requests to a server.
        case unsupportedMethod
        /// The method is not `GET`, with which alone an event source may be asked again and again.
        case notGET
        /// The file is not there, is not a regular file, or must not be read.
        case unreadableFile
        /// The stream could not be made or read.
        case unreadableStream
        /// The engine of this platform cannot connect to an IPv6 address in a URL; a host name works.
        case unsupportedIPv6Literal
    }

    /// The part that is wrong.
    public let part: Part

    /// The reason why it is refused.
    public let problem: Problem

    /// Makes the error of its two parts.
    public init(_ part: Part, _ problem: Problem) {
        self.part = part
        self.problem = problem
    }
}

extension InvalidRequest: LocalizedError, CustomStringConvertible {
    /// One sentence made of part and problem.
    public var description: String { "\(part) \(problem)." }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension InvalidRequest.Part: CustomStringConvertible {
    /// The part's name, as a sentence begins with it.
    public var description: String {
        switch self {
        case .url: "The URL"
        case .method: "The method"
        case .headerName(let name): "The header name \(name.debugDescription)"
        case .headerValue(let name): "The value of the header \(name)"
        case .body: "The body"
        }
    }
}

extension InvalidRequest.Problem: CustomStringConvertible {
    /// The problem, as the end of a sentence.
    public var description: String {
        switch self {
        case .missing: "is missing"
        case .notAToken: "is not a token (letters, digits and !#$%&'*+-.^_`|~)"
        case .forbiddenByte(let byte): "contains the byte 0x\(String(byte, radix: 16)), which may not be sent there"
        case .outerSpace: "begins or ends with white space"
        case .reserved: "belongs to the transport, which sets it itself"
        case .wrongLength(let actual?): "does not fit the body, which has \(actual) bytes"
        case .wrongLength(nil): "declares a length that cannot be compared with the body's"
        case .unsupportedScheme: "has a scheme other than http and https"
        case .badHost: "has no host, or one that is not a plain name or address"
        case .badPort: "has a port that is not a number from 1 to 65535"
        case .userInfo: "contains a user name or password; use an Authorization header"
        case .fragment: "has a fragment, which is never sent; remove it"
        case .dotSegment: "has a segment '.' or '..' in its path"
        case .badEscape: "has a '%' without two hexadecimal digits; a percent sign itself is written %25"
        case .bodyNotAllowed: "is not allowed with GET and HEAD; use query items, or POST, PUT or PATCH"
        case .unsupportedMethod: "is not for requests to a server"
        case .notGET: "is not GET, by which serverSentEvents() connects again and again; sendStream() reads one reply"
        case .unreadableFile: "is not a regular file that may be read"
        case .unreadableStream: "is a stream that could not be read to its end"
        case .unsupportedIPv6Literal: "has an IPv6 address as its host, which this engine cannot reach; use a name"
        }
    }
}
