import Basics
import Foundation

/// A public key in the form in which it is pinned (SubjectPublicKeyInfo, DER; RFC 5280, section 4.1.2.7).
///
/// Apple's Security framework returns the bare key. Its algorithm is put before it here, without that framework, so
/// that it is tested on all systems.
struct PublicKeyInfo {
    enum Algorithm {
        /// The key is a modulus and an exponent in DER (RFC 8017, appendix A.1.1).
        case rsa
        /// The key is an uncompressed point of P-256, P-384 or P-521 (SEC 1, section 2.3.3).
        case ellipticCurve
    }

    let der: [UInt8]

    /// `nil` if it is not such a key.
    init?(_ algorithm: Algorithm, key: [UInt8]) {
        guard let identifiers = Self.identifiers(of: algorithm, key) else { return nil }
        let bits = Self.element(0x03, [0] + key)
        der = Self.element(0x30, Self.element(0x30, identifiers) + bits)
    }

    /// The SHA-256 digest of the DER in Base64, as in `pinnedKeys`.
    var pin: String { Data(SHA256.digest(of: der)).base64EncodedString() }

    /// The identifiers of the algorithm and its parameters (RFC 3279, section 2.3.1; RFC 5480, section 2.1.1).
    private static func identifiers(of algorithm: Algorithm, _ key: [UInt8]) -> [UInt8]? {
        let curve: [UInt8]
        switch (algorithm, key.count, key.first) {
        case (.rsa, _, 0x30): return [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0]
        case (.ellipticCurve, 1 + 2 * 32, 0x04): curve = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case (.ellipticCurve, 1 + 2 * 48, 0x04): curve = [0x2B, 0x81, 0x04, 0, 0x22]
        case (.ellipticCurve, 1 + 2 * 66, 0x04): curve = [0x2B, 0x81, 0x04, 0, 0x23]
        default: return nil
        }
        return [0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] + element(0x06, curve)
    }

    /// An element of DER (ITU-T X.690, section 8.1).
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(count)]
            case ..<0x100: [0x81, UInt8(count)]
            default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + content
    }
}
