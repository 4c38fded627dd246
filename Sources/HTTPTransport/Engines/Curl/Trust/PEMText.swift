#if os(Linux) || os(Android)
import CCurl
import Foundation

/// Checks of certificates and keys in PEM (RFC 7468) before they are used.
enum PEMText {
    /// The problem with a certificate and its key; nil if they can be used.
    static func problem(with certificate: Data, key: Data, password: String?) -> String? {
        guard isWhole(certificate), isWhole(key) else { return "a block has no end: the file is cut" }
        let result = certificate.withUnsafeBytes { certificate in
            key.withUnsafeBytes { key in
                ccurl_pem_check_pair(certificate.baseAddress, certificate.count, key.baseAddress, key.count, password)
            }
        }
        return problem(of: result)
    }

    /// The problem with certificate authorities; nil if they can be used.
    static func problem(with authorities: Data) -> String? {
        guard isWhole(authorities) else { return "a block has no end: the file is cut" }
        return problem(of: authorities.withUnsafeBytes { ccurl_pem_check($0.baseAddress, $0.count) })
    }

    private static func problem(of result: ccurl_pem) -> String? {
        switch result {
        case CCURL_PEM_OK: nil
        case CCURL_PEM_CERTIFICATE: "there is no certificate in PEM, or a broken one"
        case CCURL_PEM_KEY: "there is no private key in PEM, or a broken one, or one with another password"
        default: "the key is not the one of the certificate"
        }
    }

    /// Whether each block that begins also ends.
    private static func isWhole(_ data: Data) -> Bool {
        var label: Substring?
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            guard line.hasPrefix("-----") else { continue }
            if label == nil, let begun = line.label(after: "-----BEGIN ") {
                label = begun
            } else if label != nil {
                guard line.label(after: "-----END ") == label else { return false }
                label = nil
            }
        }
        return label == nil
    }
}

extension Substring {
    /// The label of a line that begins or ends a block; nil of another line.
    fileprivate func label(after start: String) -> Substring? {
        guard hasPrefix(start) else { return nil }
        return Substring(dropFirst(start.count).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
}
#endif
