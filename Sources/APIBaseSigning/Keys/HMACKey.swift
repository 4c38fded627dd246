public import Foundation
import Basics

/// The secret key of an HMAC with SHA-256 (RFC 2104), which two parties share.
///
/// It can have any length but none: with an empty key, signing throws ``SigningError/emptyKey``, and verifying
/// ``VerificationError/emptyKey``, since everybody knows it. Nothing prints the key.
public struct HMACKey: Sendable {
    let bytes: Data

    /// The UTF-8 of a text, as it stands.
    public init(_ text: String) { bytes = Data(text.utf8) }

    /// These bytes.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Data(bytes) }

    /// The bytes of a text in Base64 (RFC 4648, section 4), with its padding; `nil` if it is anything else.
    public init?(base64 text: String) {
        guard let bytes = Data(base64Encoded: text) else { return nil }
        self.bytes = bytes
    }

    /// The bytes of a text of hexadecimal digits, two for each byte, in either case; `nil` if it is anything else.
    public init?(hex text: String) {
        guard let bytes = text.hexadecimalBytes else { return nil }
        self.bytes = Data(bytes)
    }

    /// The code of a message: 32 bytes.
    ///
    /// - Throws: ``SigningError/emptyKey``.
    public func code(for message: Data) throws -> Data {
        var hash = try makeCode()
        hash.update(message)
        return Data(hash.finalize())
    }

    /// Whether this is the code of a message. The time it takes does not tell where they differ.
    ///
    /// - Throws: ``VerificationError/emptyKey``.
    public func isCode(_ code: Data, for message: Data) throws -> Bool {
        guard !bytes.isEmpty else { throw VerificationError.emptyKey }
        return HMACSHA256.areEqual(code, try self.code(for: message))
    }

    /// A code of nothing, so far.
    func makeCode() throws -> HMACSHA256 {
        guard !bytes.isEmpty else { throw SigningError.emptyKey }
        return HMACSHA256(key: bytes)
    }
}

extension HMACKey: Equatable {
    /// Whether both have the same bytes. The time it takes does not tell where they differ.
    public static func == (left: HMACKey, right: HMACKey) -> Bool { HMACSHA256.areEqual(left.bytes, right.bytes) }
}

extension HMACKey: CustomStringConvertible, CustomReflectable {
    /// Not the key: `HMACKey(<secret>)`.
    public var description: String { "HMACKey(<secret>)" }

    /// The mirror for `dump`: nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>(), displayStyle: .struct) }
}

extension String {
    /// The bytes that hexadecimal digits stand for, in either case; `nil` if there is anything else.
    var hexadecimalBytes: [UInt8]? {
        let digits = utf8.map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
