#if !canImport(FoundationNetworking)
public import Foundation
import Security

/// The delegate of a `URLSession` that only talks to servers with a pinned key: `pinnedKeys` of `CurlSession` for
/// Apple's systems.
///
/// The key of the server's own certificate must be one of the pins, in addition to a certificate that the system
/// trusts. Otherwise the exchange fails with ``TransportError/Reason/tls``, before anything is sent, and so does one
/// that is canceled by `invalidateAndCancel()`. All other challenges are handled as without a delegate. A request to
/// `http:` has no key, so it passes.
public final class PinnedKeys: NSObject, URLSessionDelegate {
    private let pins: Set<String>

    /// Creates a delegate for these pins: SHA-256 digests of public keys (of their DER form, SubjectPublicKeyInfo), in
    /// Base64. RSA keys and the curves P-256, P-384 and P-521 can be pinned. An empty list refuses every server
    /// with TLS, and so does a list without a valid digest.
    public init(_ pins: [String]) {
        self.pins = Set(pins)
        super.init()
    }

    /// Refuses servers without a pinned key.
    public func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        let isAboutServer = space.authenticationMethod == NSURLAuthenticationMethodServerTrust
        // The system's own check follows.
        let passes = !isAboutServer || space.serverTrust.map(isPinned) ?? false
        completionHandler(passes ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
    }

    private func isPinned(_ trust: SecTrust) -> Bool {
        SecTrustEvaluateWithError(trust, nil) && PublicKeyInfo(of: trust).map { pins.contains($0.pin) } ?? false
    }
}

extension PublicKeyInfo {
    /// The key of a server; nil if its kind is unknown.
    fileprivate init?(of trust: SecTrust) {
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let certificate = chain.first,
            let key = SecCertificateCopyKey(certificate),
            let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            let attributes = SecKeyCopyAttributes(key) as? [String: Any],
            let type = attributes[kSecAttrKeyType as String] as? String
        else { return nil }
        switch type {
        case kSecAttrKeyTypeRSA as String: self.init(.rsa, key: Array(bytes))
        case kSecAttrKeyTypeECSECPrimeRandom as String: self.init(.ellipticCurve, key: Array(bytes))
        default: return nil
        }
    }
}
#endif
