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

    private let keys: [HMACKey]
    private let read: @Sendable (HTTPHeaders) throws -> Claim

    /// The most time since a webhook was sent, or until then. By default 5 minutes. GitHub's have no date, so
    /// that they can be sent again at any time.
    public var window: Duration = .seconds(300)

    init(
        keys: [HMACKey],
        read: @escaping @Sendable (HTTPHeaders) throws -> Claim
    ) {
        self.keys = keys
        self.read = read
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
            var code = HMACSHA256(key: key.bytes)
            code.update(claim.head.utf8)
            code.update(body)
            let right = code.finalize()
            for signature in claim.signatures where HMACSHA256.areEqual(signature, right) { fits = true }
        }
        guard fits else { throw VerificationError.noKeyFits }
        return Webhook(id: claim.id, date: claim.seconds.map { Date(timeIntervalSince1970: Double($0)) })
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
