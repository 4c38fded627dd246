public import Foundation
import Basics
import HTTPTransport

/// The check of signatures of HTTP messages (RFC 9421), in responses by a client and in requests by a server.
///
/// A signature protects only what it covers, so name all that your code relies on. Within the time window a message can
/// be sent again by somebody else: to refuse that, remember the nonces.
public struct MessageVerifier: Sendable {
    /// A means of checking signatures.
    public struct Key: Sendable {
        let algorithm: String?
        let isValid: @Sendable (_ signature: Data, _ base: Data) async throws -> Bool

        /// HMAC with SHA-256 (section 3.3.3). Signatures that name another algorithm are refused.
        public static func hmac(_ key: HMACKey) -> Key {
            Key(algorithm: "hmac-sha256") { try key.isCode($0, for: $1) }
        }

        /// Your own code, for keys that this module does not know, such as those of CryptoKit.
        ///
        /// - Parameters:
        ///   - algorithm: The name of its algorithm in the registry of section 6.2, such as `ed25519`. Signatures that
        ///     name another are refused.
        ///   - isValid: Whether a signature fits the signature base. What it throws is thrown by the check.
        /// - Returns: The key.
        public static func custom(
            algorithm: String,
            isValid: @escaping @Sendable (_ signature: Data, _ base: Data) async throws -> Bool
        ) -> Key {
            Key(algorithm: algorithm, isValid: isValid)
        }
    }

    private let key: @Sendable (SignatureParameters) async throws -> Key?

    /// The components that a signature has to cover.
    public var components: [SignatureComponent]

    /// The label of the signature that is checked. By default, a message must have exactly one signature.
    public var label: String?

    /// The purpose that the signature has to name. By default any.
    public var tag: String?

    /// The most time since a message was signed, or until then. By default 5 minutes. With `nil`, the date does
    /// not matter, and may be missing.
    public var window: Duration? = .seconds(300)

    /// A check with keys that are looked up.
    ///
    /// - Parameters:
    ///   - components: What a signature has to cover.
    ///   - key: The key for the parameters of a signature, which are not trusted yet; `nil` if there is none.
    public init(
        covering components: [SignatureComponent],
        key: @escaping @Sendable (SignatureParameters) async throws -> Key?
    ) {
        self.components = components
        self.key = key
    }

    /// A check with one key.
    ///
    /// - Parameters:
    ///   - components: What a signature has to cover.
    ///   - key: The key.
    public init(covering components: [SignatureComponent], key: Key) {
        self.init(covering: components) { _ in key }
    }

    /// Checks the signature of a message.
    ///
    /// - Parameters:
    ///   - message: The message, as it came.
    ///   - body: Its body, which is then checked too: its `Content-Digest` must be covered, and have SHA-256. With
    ///     ``SignedBody/unsigned``, nothing is known about the body.
    ///   - date: The time of the receiver. By default now.
    /// - Returns: The parameters of the signature.
    /// - Throws: ``VerificationError``, ``SigningError/unreadableBody(path:)``, and what a custom key throws.
    @discardableResult
    public func verify(
        _ message: HTTPMessage,
        body: SignedBody,
        at date: Date = Date()
    ) async throws -> SignatureParameters {
        let (items, structured, signature) = try parts(of: message)
        let covered = items.map { SignatureComponent($0) }
        let parameters = try SignatureParameters(structured)
        let required = components + (body.isUnsigned ? [] : [.contentDigest])
        if let missing = required.first(where: { !covered.contains($0) }) {
            throw VerificationError.notCovered(missing.description)
        }
        try check(parameters, at: date)
        let base: Data
        do {
            base = Data(try SignatureBase.make(covered, structured, of: message).text.utf8)
        } catch SigningError.missingComponent(let name) {
            throw VerificationError.unknownComponent(name)
        } catch SigningError.invalidName {
            throw VerificationError.malformedHeader(name: Self.input)
        }
        guard let key = try await key(parameters) else { throw VerificationError.noKeyFits }
        if let algorithm = parameters.algorithm, algorithm != key.algorithm {
            throw VerificationError.wrongParameter("alg")
        }
        guard try await key.isValid(signature, base) else { throw VerificationError.noKeyFits }
        if !body.isUnsigned { try ContentDigest.check(message.headers, body) }
        return parameters
    }

    private static let input = "Signature-Input"

    /// The components, the parameters and the bytes of the signature.
    private func parts(
        of message: HTTPMessage
    ) throws(VerificationError) -> ([StructuredField.Item], StructuredField.Parameters, Data) {
        let inputs = try Self.dictionary(Self.input, of: message)
        let signatures = try Self.dictionary("Signature", of: message)
        let found = label.map { label in inputs.filter { $0.key == label } } ?? inputs
        guard found.count == 1, let input = found.first else { throw .noSignature(label: label) }
        guard case .list(let items, let parameters) = input.member else { throw .malformedHeader(name: Self.input) }
        for item in items {
            guard case .string = item.value else { throw .malformedHeader(name: Self.input) }
        }
        guard let signature = signatures.first(where: { $0.key == input.key }) else { throw .noSignature(label: label) }
        guard case .item(let item) = signature.member, case .bytes(let bytes) = item.value else {
            throw .malformedHeader(name: "Signature")
        }
        return (items, parameters, bytes)
    }

    private static func dictionary(
        _ name: String,
        of message: HTTPMessage
    ) throws(VerificationError) -> StructuredField.Dictionary {
        guard let text = message.headers[name] else { throw .missingHeader(name: name) }
        guard let members = StructuredFieldParser.dictionary(text) else { throw .malformedHeader(name: name) }
        return members
    }

    private func check(_ parameters: SignatureParameters, at date: Date) throws(VerificationError) {
        if let tag, tag != parameters.tag { throw .wrongParameter("tag") }
        if let window {
            guard let created = parameters.created else { throw .missingParameter("created") }
            try TimeWindow(allowed: window).check(Int64(created.timeIntervalSince1970), at: date)
        }
        if let expires = parameters.expires, !(date <= expires) {
            throw .expired(ago: .clamped(seconds: date.timeIntervalSince(expires)))
        }
    }
}

extension MessageVerifier.Key: CustomStringConvertible, CustomReflectable {
    /// Not the key: `Key(<secret>)`.
    public var description: String { "Key(<secret>)" }

    /// The mirror for `dump`: nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .struct) }
}
