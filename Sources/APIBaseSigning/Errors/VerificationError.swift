public import Foundation

/// Why a message is not trusted. It holds no keys, and no signatures that would have been right.
public enum VerificationError: Error, Hashable, Sendable {
    /// A key has no bytes, so everybody could sign with it.
    case emptyKey
    /// The message has no header of this name.
    case missingHeader(name: String)
    /// The header is there more than once, or not in the form of the scheme.
    case malformedHeader(name: String)
    /// The signature has no such parameter, which is needed.
    case missingParameter(String)
    /// The signature has a parameter that is not as it has to be, such as another algorithm than the key's.
    case wrongParameter(String)
    /// There is no signature with this label; or none, or more than one, if the label is `nil`.
    case noSignature(label: String?)
    /// The signature does not cover a component that has to be covered.
    case notCovered(String)
    /// The signature covers a component that the message does not have exactly once, or that is not supported.
    case unknownComponent(String)
    /// The message was signed too long ago.
    case tooOld(age: Duration, allowed: Duration)
    /// The message was signed in the future.
    case fromTheFuture(by: Duration, allowed: Duration)
    /// The signature says that it has expired, this long ago.
    case expired(ago: Duration)
    /// The body does not have the digest that the message names, or the message names none with SHA-256.
    case wrongDigest
    /// The signature is well-formed, and was made with none of the keys, or for another message.
    case noKeyFits
}

extension VerificationError: LocalizedError {
    /// The problem, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .emptyKey: "A key for the verification is empty."
        case .missingHeader(let name): "The header \(name) of the signature is missing."
        case .malformedHeader(let name): "The header \(name) is malformed, or is there more than once."
        case .missingParameter(let name): "The signature has no parameter \(name.debugDescription)."
        case .wrongParameter(let name): "The parameter \(name.debugDescription) of the signature is wrong."
        case .noSignature(let label?): "There is no signature with the label \(label.debugDescription)."
        case .noSignature(nil): "There is not exactly one signature."
        case .notCovered(let name): "The signature does not cover \(name)."
        case .unknownComponent(let name): "The signature covers \(name), which the message does not have exactly once."
        case .tooOld(let age, let allowed): "The message was signed \(age) ago; \(allowed) are allowed."
        case .fromTheFuture(let time, let allowed):
            "The message was signed \(time) in the future; \(allowed) are allowed."
        case .expired(let time): "The signature expired \(time) ago."
        case .wrongDigest: "The body does not have the digest that the message names."
        case .noKeyFits: "None of the keys fits the signature and the message."
        }
    }
}
