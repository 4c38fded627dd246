public import Foundation
import Basics

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A signature of the kind that many APIs have designed for themselves: the HMAC-SHA256 of parts of a request, in a
/// header.
///
/// There is no standard for it, so all follows the documentation of the API: which parts, in which order, with what
/// between them, and how the result is written. Nothing prints the key.
public struct HMACSignature: Sendable {
    /// A part of what is signed.
    public enum Part: Sendable, Hashable {
        /// This text, as a version or the identifier of a key.
        case text(String)
        /// The method, as it is sent: `POST`.
        case method
        /// The host, and the port unless it is the default of the scheme.
        case host
        /// The path as it is sent, with its escapes; `/` if it is empty.
        case path
        /// The query as it is sent, without its question mark; empty if there is none.
        case query
        /// Path and query as they are sent.
        case target
        /// The value of a header, without blanks at its ends. If it is missing, signing fails.
        case header(String)
        /// The date, as ``HMACSignature/timestamp`` writes it.
        case timestamp
        /// The bytes of the body.
        case body
        /// The SHA-256 digest of the body, written like this.
        case bodyDigest(Encoding)
    }

    /// The spelling of bytes as text.
    public enum Encoding: Sendable, Hashable {
        /// Hexadecimal digits in lower case.
        case hex
        /// Base64 with padding (RFC 4648, section 4).
        case base64
        /// Base64 without padding, for URLs (RFC 4648, section 5).
        case base64URL
    }

    /// The spelling of a date.
    public enum Timestamp: Sendable, Hashable {
        /// The whole seconds since 1970.
        case seconds
        /// The whole milliseconds since 1970.
        case milliseconds
    }

    let key: HMACKey

    /// The parts, in their order.
    public var parts: [Part]

    /// The text between two parts. By default a line feed.
    public var separator = "\n"

    /// The header that gets the signature.
    public var header: String

    /// The text before the signature in the header, such as `sha256=`. By default nothing.
    public var prefix = ""

    /// The spelling of the signature. By default hexadecimal digits.
    public var encoding = Encoding.hex

    /// The header that gets the date, as most APIs want if they sign it. By default none.
    public var timestampHeader: String?

    /// The spelling of the date. By default seconds.
    public var timestamp = Timestamp.seconds

    /// A signature of some parts.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - parts: What is signed, in its order.
    ///   - header: The header that gets the signature.
    public init(key: HMACKey, of parts: [Part], in header: String) {
        self.key = key
        self.parts = parts
        self.header = header
    }

    /// The request with its signature, and with its date if ``timestampHeader`` is set.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent. Headers of both names are replaced.
    ///   - body: The body; it is needed only if it is one of the parts.
    ///   - date: The date of the signature. By default now.
    /// - Returns: The signed request.
    /// - Throws: ``SigningError``.
    public func signed(
        _ request: URLRequest,
        body: SignedBody = .unsigned,
        at date: Date = Date()
    ) throws -> URLRequest {
        var request = request
        if let timestampHeader { request.setValue(try text(of: date), forHTTPHeaderField: timestampHeader) }
        request.setValue(try signature(of: request, body: body, at: date), forHTTPHeaderField: header)
        return request
    }

    /// The value of ``header`` for a request, with ``prefix``.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - body: The body; it is needed only if it is one of the parts.
    ///   - date: The date of the signature.
    /// - Returns: The value.
    /// - Throws: ``SigningError``.
    public func signature(of request: URLRequest, body: SignedBody = .unsigned, at date: Date) throws -> String {
        var code = try key.makeCode()
        for (index, part) in parts.enumerated() {
            if index > 0 { code.update(separator.utf8) }
            if part == .body {
                try body.read { code.update($0) }
            } else {
                code.update(try text(of: part, request, body, date).utf8)
            }
        }
        return prefix + encoding.text(code.finalize())
    }

    private func text(of part: Part, _ request: URLRequest, _ body: SignedBody, _ date: Date) throws -> String {
        switch part {
        case .text(let text): text
        case .method: request.httpMethod ?? "GET"
        case .host: try WireURL(request.url).authority
        case .path: try WireURL(request.url).path
        case .query: try WireURL(request.url).query ?? ""
        case .target: try WireURL(request.url).target
        case .header(let name): try Self.value(of: name, in: request)
        case .timestamp: try text(of: date)
        case .body: ""
        case .bodyDigest(let encoding): encoding.text(try body.digest())
        }
    }

    private static func value(of name: String, in request: URLRequest) throws -> String {
        guard let value = request.value(forHTTPHeaderField: name) else { throw SigningError.missingHeader(name: name) }
        guard let trimmed = value.trimmedFieldValue else { throw SigningError.invalidHeader(name: name) }
        return trimmed
    }

    private func text(of date: Date) throws -> String {
        guard let seconds = date.wholeSeconds else { throw SigningError.invalidDate }
        return switch timestamp {
        case .seconds: String(seconds)
        case .milliseconds: String(Int64((date.timeIntervalSince1970 * 1_000).rounded(.down)))
        }
    }
}

extension HMACSignature.Encoding {
    func text(_ bytes: [UInt8]) -> String {
        switch self {
        case .hex: bytes.hexadecimal
        case .base64: Data(bytes).base64EncodedString()
        case .base64URL:
            Self.base64.text(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
    }
}
