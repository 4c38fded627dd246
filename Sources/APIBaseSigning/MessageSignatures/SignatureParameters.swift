public import Foundation

/// The parameters of a signature (RFC 9421, section 2.3).
public struct SignatureParameters: Sendable, Hashable {
    /// When the signature was made, in whole seconds.
    public var created: Date?
    /// When it loses its force, in whole seconds.
    public var expires: Date?
    /// The identifier of the key.
    public var keyID: String?
    /// The name of the algorithm in the registry of section 6.2, such as `hmac-sha256`.
    public var algorithm: String?
    /// A value that is used for one signature only.
    public var nonce: String?
    /// The purpose of the signature.
    public var tag: String?

    /// No parameters.
    public init() {}

    /// - Throws: ``SigningError/invalidDate`` or ``SigningError/invalidName(_:)``.
    func structured() throws(SigningError) -> StructuredField.Parameters {
        var parameters = StructuredField.Parameters()
        for (name, date) in [("created", created), ("expires", expires)] {
            guard let date else { continue }
            guard let seconds = date.wholeSeconds else { throw .invalidDate }
            parameters[name] = .integer(seconds)
        }
        for (name, text) in [("keyid", keyID), ("alg", algorithm), ("nonce", nonce), ("tag", tag)] {
            guard let text else { continue }
            guard let string = StructuredField.BareItem(string: text) else { throw .invalidName(text) }
            parameters[name] = string
        }
        return parameters
    }

    /// Parameters that others have are ignored here; the signature covers them all the same.
    ///
    /// - Throws: ``VerificationError/wrongParameter(_:)`` if one has another type.
    init(_ parameters: StructuredField.Parameters) throws(VerificationError) {
        func seconds(_ name: String) throws(VerificationError) -> Date? {
            guard let value = parameters[name] else { return nil }
            guard case .integer(let seconds) = value else { throw .wrongParameter(name) }
            return Date(timeIntervalSince1970: Double(seconds))
        }
        func text(_ name: String) throws(VerificationError) -> String? {
            guard let value = parameters[name] else { return nil }
            guard case .string(let text) = value else { throw .wrongParameter(name) }
            return text
        }
        (created, expires) = (try seconds("created"), try seconds("expires"))
        (keyID, algorithm) = (try text("keyid"), try text("alg"))
        (nonce, tag) = (try text("nonce"), try text("tag"))
    }
}
