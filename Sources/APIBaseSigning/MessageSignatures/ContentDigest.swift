import Foundation
import HTTPTransport

/// The field `Content-Digest` (RFC 9530, section 2), with SHA-256.
enum ContentDigest {
    static let name = "Content-Digest"

    /// The value for a body.
    ///
    /// - Throws: ``SigningError/bodyNotPassed`` or ``SigningError/unreadableBody(path:)``.
    static func value(for body: SignedBody) throws -> String {
        StructuredField.Member.item(.init(value: .bytes(Data(try body.digest())))).text(key: "sha-256")
    }

    /// Checks a body. Digests of other algorithms are not looked at.
    ///
    /// - Throws: ``VerificationError``.
    static func check(_ headers: HTTPHeaders, _ body: SignedBody) throws {
        guard let value = headers[name] else { throw VerificationError.missingHeader(name: name) }
        guard let members = StructuredFieldParser.dictionary(value) else {
            throw VerificationError.malformedHeader(name: name)
        }
        guard case .item(let item)? = members.first(where: { $0.key == "sha-256" })?.member,
            case .bytes(let digest) = item.value, HMACSHA256.areEqual(digest, try body.digest())
        else { throw VerificationError.wrongDigest }
    }
}
