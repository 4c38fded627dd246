public import Foundation
import Basics
public import HTTPTransport

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Signatures of HTTP messages (RFC 9421), with the digest of the body (RFC 9530).
///
/// ``MessageVerifier`` checks them. Nothing prints the key.
public struct MessageSignature: Sendable {
    /// A means of making signatures.
    public struct Signer: Sendable {
        let sign: @Sendable (Data) async throws -> Data

        /// HMAC with SHA-256 (section 3.3.3).
        public static func hmac(_ key: HMACKey) -> Signer {
            Signer { try key.code(for: $0) }
        }

        /// Your own code, for keys that this module does not know, such as those of CryptoKit and of a key service.
        ///
        /// - Parameter sign: Gets the signature base, and returns the signature in the form of the algorithm. What it
        ///   throws is thrown by the signing.
        /// - Returns: The signer.
        public static func custom(_ sign: @escaping @Sendable (Data) async throws -> Data) -> Signer {
            Signer(sign: sign)
        }
    }

    let signer: Signer

    /// The components that the signature covers, in its order. With ``SignatureComponent/contentDigest``, it also
    /// covers the body.
    public var components: [SignatureComponent]

    /// The label of the signature, which tells several of one message apart. By default `sig1`.
    public var label = "sig1"

    /// The identifier of the key, which tells the receiver which key to use. By default none.
    public var keyID: String?

    /// The name of the algorithm in the registry of section 6.2, such as `hmac-sha256`. By default it is left out, and
    /// follows from the key.
    public var algorithm: String?

    /// The purpose of the signature, as the receiver names it. By default none.
    public var tag: String?

    /// The time for which the signature is valid, in whole seconds. By default, it does not say so.
    public var lifetime: Duration?

    /// The signatures by a key.
    ///
    /// - Parameters:
    ///   - signer: What makes the signature.
    ///   - components: What it covers, in its order.
    ///   - keyID: The identifier of the key. By default none.
    public init(_ signer: Signer, over components: [SignatureComponent], keyID: String? = nil) {
        self.signer = signer
        self.components = components
        self.keyID = keyID
    }

    /// The request with its signature in `Signature-Input` and `Signature`, and with `Content-Digest` if it covers
    /// that.
    ///
    /// Other signatures of the request stay; one with the same label is replaced.
    ///
    /// - Parameters:
    ///   - request: The request as it is sent.
    ///   - body: The body, from which `Content-Digest` is made. With ``SignedBody/unsigned``, which is the default, the
    ///     header of the request is used, if it is covered.
    ///   - nonce: A value that is used for this signature only. By default none.
    ///   - date: The date of the signature, in whole seconds. By default now.
    /// - Returns: The signed request.
    /// - Throws: ``SigningError``, and what a custom signer throws.
    public func signed(
        _ request: URLRequest,
        body: SignedBody = .unsigned,
        nonce: String? = nil,
        at date: Date = Date()
    ) async throws -> URLRequest {
        let fields = try await fields(for: HTTPMessage(request), body: body, nonce: nonce, at: date)
        var request = request
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// The header fields that sign a message: `Signature-Input`, `Signature`, and `Content-Digest` if it is covered and
    /// a body is passed. They replace the message's own, and contain its other signatures.
    ///
    /// - Parameters:
    ///   - message: A request or a response.
    ///   - body: As for ``signed(_:body:nonce:at:)``.
    ///   - nonce: A value that is used for this signature only. By default none.
    ///   - date: The date of the signature, in whole seconds.
    /// - Returns: The fields.
    /// - Throws: ``SigningError``, and what a custom signer throws.
    public func fields(
        for message: HTTPMessage,
        body: SignedBody = .unsigned,
        nonce: String? = nil,
        at date: Date
    ) async throws -> HTTPHeaders {
        guard label.isStructuredKey else { throw SigningError.invalidName(label) }
        var (message, fields) = (message, HTTPHeaders())
        if components.contains(.contentDigest), !body.isUnsigned {
            fields[ContentDigest.name] = try ContentDigest.value(for: body)
            message.headers[ContentDigest.name] = fields[ContentDigest.name]
        }
        let parameters = try parameters(nonce: nonce, at: date).structured()
        let base = try SignatureBase.make(components, parameters, of: message)
        let signature = try await signer.sign(Data(base.text.utf8))
        let member = StructuredField.Member.item(.init(value: .bytes(signature)))
        fields["Signature-Input"] = try adding(base.input, to: "Signature-Input", of: message)
        fields["Signature"] = try adding(member, to: "Signature", of: message)
        return fields
    }

    private func parameters(nonce: String?, at date: Date) throws -> SignatureParameters {
        var parameters = SignatureParameters()
        guard let seconds = date.wholeSeconds else { throw SigningError.invalidDate }
        parameters.created = date
        if let lifetime {
            guard lifetime >= .seconds(1) else {
                throw SigningError.invalidLifetime(lifetime, longest: .seconds(253_402_300_799 - seconds))
            }
            let end = Double(seconds) + (lifetime / .seconds(1)).rounded(.down)
            parameters.expires = Date(timeIntervalSince1970: end)
        }
        (parameters.keyID, parameters.algorithm) = (keyID, algorithm)
        (parameters.nonce, parameters.tag) = (nonce, tag)
        return parameters
    }

    /// The dictionary in a field of the message, with a member for the label.
    private func adding(
        _ member: StructuredField.Member,
        to name: String,
        of message: HTTPMessage
    ) throws -> String {
        let text = message.headers[name] ?? ""
        guard let members = StructuredFieldParser.dictionary(text) else { throw SigningError.invalidHeader(name: name) }
        let others = members.filter { $0.key != label }.map { $0.member.text(key: $0.key) }
        return (others + [member.text(key: label)]).joined(separator: ", ")
    }
}

extension MessageSignature.Signer: CustomStringConvertible, CustomReflectable {
    /// Not the key: `Signer(<secret>)`.
    public var description: String { "Signer(<secret>)" }

    /// The mirror for `dump`: nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .struct) }
}
