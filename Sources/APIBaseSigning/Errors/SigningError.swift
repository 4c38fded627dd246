public import Foundation

/// Why a request was not signed. It holds no keys.
public enum SigningError: Error, Hashable, Sendable {
    /// The key has no bytes.
    case emptyKey
    /// A secret is not in the form of its scheme, named here; its text is left out.
    case malformedSecret(scheme: String)
    /// The request has no absolute URL with a host.
    case invalidURL
    /// The header has a line end or a NUL, or text that is not ASCII where the scheme allows ASCII only.
    case invalidHeader(name: String)
    /// The request has no header of this name, which is to be signed.
    case missingHeader(name: String)
    /// The message has no such component, which is to be signed, or has it more than once.
    case missingComponent(String)
    /// A name, label or parameter cannot be written in the form that the scheme wants.
    case invalidName(String)
    /// The signature covers the bytes or the digest of the body, and these were not passed.
    case bodyNotPassed
    /// The file of the body cannot be read.
    case unreadableBody(path: String)
    /// The date is not between the years 1970 and 9999.
    case invalidDate
    /// The URL is to be valid for less than a second, or for longer than the scheme allows.
    case invalidLifetime(Duration, longest: Duration)
}

extension SigningError: LocalizedError {
    /// The problem, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .emptyKey: "The key for the signature is empty."
        case .malformedSecret(let scheme): "The secret is not one of \(scheme)."
        case .invalidURL: "Only a request with an absolute URL and a host can be signed."
        case .invalidHeader(let name): "The value of the header \(name.debugDescription) cannot be signed."
        case .missingHeader(let name): "The header \(name.debugDescription) is to be signed, and is missing."
        case .missingComponent(let name): "\(name) is to be signed, and the message does not have it exactly once."
        case .invalidName(let name): "\(name.debugDescription) is not allowed in a signature."
        case .bodyNotPassed: "The signature covers the body, which was not passed to the signer."
        case .unreadableBody(let path): "The file \(path.debugDescription) of the body cannot be read."
        case .invalidDate: "The date of the signature is not between the years 1970 and 9999."
        case .invalidLifetime(let time, let longest): "A URL can be valid for 1 s to \(longest), not for \(time)."
        }
    }
}
