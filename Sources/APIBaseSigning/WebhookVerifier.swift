public import Foundation
public import HTTPTransport

/// The check of webhooks: of requests that a service sends to your server, signed with a secret you share.
///
/// The body must be the bytes as they came; JSON that has been decoded and encoded again has another signature. Nothing
/// prints the secrets.
public struct WebhookVerifier: Sendable {
    /// The facts about a webhook that is trusted.
    public struct Webhook: Sendable, Hashable {
        /// The identifier of the event, which stays the same when it is sent again. Only Standard Webhooks sign one.
        public let id: String?
        /// When the webhook was sent. GitHub does not sign that.
        public let date: Date?
    }

    /// The signature of one scheme, taken apart.
    struct Claim {
        /// The parts of what is signed, except the body, which follows.
        var head: String
        /// The signatures, one of which has to fit.
        var signatures: [Data]
        var id: String?
        /// Whole seconds since 1970.
        var seconds: Int64?
    }

    /// Makes the headers of a webhook with this identifier, sent this many seconds after 1970. `code` gives the HMAC of
    /// what is signed, of which it gets the head.
    typealias Writer =
        @Sendable (_ id: String, _ seconds: Int64, _ code: (String) -> [UInt8]) throws(SigningError) -> HTTPHeaders

    private let keys: [HMACKey]
    private let read: @Sendable (HTTPHeaders) throws -> Claim
    private let write: Writer

    /// The most time since a webhook was sent, or until then. By default 5 minutes. GitHub's have no date, so
    /// that they can be sent again at any time.
    public var window: Duration = .seconds(300)

    init(
        keys: [HMACKey],
        read: @escaping @Sendable (HTTPHeaders) throws -> Claim,
        write: @escaping Writer
    ) {
        (self.keys, self.read, self.write) = (keys, read, write)
    }

    /// Checks a webhook.
    ///
    /// - Parameters:
    ///   - body: The body, as it came.
    ///   - headers: The header fields, as they came.
    ///   - date: The time of the receiver. By default now.
    /// - Returns: What the webhook says about itself.
    /// - Throws: ``VerificationError``, also if there are no keys.
    @discardableResult
    public func verify(_ body: Data, headers: HTTPHeaders, at date: Date = Date()) throws -> Webhook {
        guard keys.allSatisfy({ !$0.bytes.isEmpty }) else { throw VerificationError.emptyKey }
        let claim = try read(headers)
        if let seconds = claim.seconds { try TimeWindow(allowed: window).check(seconds, at: date) }
        var fits = false
        for key in keys {
            let right = Self.code(of: claim.head, body, key)
            for signature in claim.signatures where HMACSHA256.areEqual(signature, right) { fits = true }
        }
        guard fits else { throw VerificationError.noKeyFits }
        return Webhook(id: claim.id, date: claim.seconds.map { Date(timeIntervalSince1970: Double($0)) })
    }

    /// Signs a webhook as the service does, with the first secret: for the tests of a server that receives them.
    ///
    /// ```swift
    /// let headers = try webhooks.sign(body, id: "msg_1")
    /// let reply = try await server.receive(body, headers)
    /// ```
    ///
    /// - Parameters:
    ///   - body: The body, as it is sent.
    ///   - id: The identifier of the event, without a dot; by default a new one. Only Standard Webhooks have one.
    ///   - date: When it is sent, in whole seconds; by default now. GitHub's have no date.
    /// - Returns: The headers with which ``verify(_:headers:at:)`` trusts the body. Of Standard Webhooks they have the
    ///   first of the prefixes.
    /// - Throws: ``SigningError/emptyKey``, also without secrets; ``SigningError/invalidDate``; and
    ///   ``SigningError/invalidHeader(name:)`` for an identifier that is empty, has a dot or cannot be in a header.
    public func sign(
        _ body: Data,
        id: String = "msg_" + UUID().uuidString,
        at date: Date = Date()
    ) throws(SigningError) -> HTTPHeaders {
        guard let key = keys.first, !key.bytes.isEmpty else { throw .emptyKey }
        guard let seconds = date.wholeSeconds else { throw .invalidDate }
        return try write(id, seconds) { Self.code(of: $0, body, key) }
    }

    /// The HMAC of the parts before the body, and of the body.
    private static func code(of head: String, _ body: Data, _ key: HMACKey) -> [UInt8] {
        var code = HMACSHA256(key: key.bytes)
        code.update(head.utf8)
        code.update(body)
        return code.finalize()
    }
}

extension WebhookVerifier: CustomStringConvertible, CustomReflectable {
    /// The number of keys, and not the keys.
    public var description: String { "WebhookVerifier(\(keys.count) keys)" }

    /// The mirror for `dump`: the time window.
    public var customMirror: Mirror { Mirror(self, children: ["window": window], displayStyle: .struct) }
}

extension HTTPHeaders {
    /// The most signatures of one webhook that are looked at.
    static let mostSignatures = 32

    /// The value of a header that must be there exactly once.
    func single(_ name: String) throws(VerificationError) -> String {
        let values = values(for: name)
        guard let value = values.first else { throw .missingHeader(name: name) }
        guard values.count == 1, let trimmed = value.trimmedFieldValue, trimmed.utf8.count <= 8_192 else {
            throw .malformedHeader(name: name)
        }
        return trimmed
    }
}
