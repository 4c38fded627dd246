#if os(Linux) || os(Android)
import CCurl
import Foundation

extension EasyHandle {
    /// Sets the certificates for a request over TLS, as their files are now. libcurl uses a kept connection only for
    /// requests with the same ones.
    ///
    /// libcurl gets them from memory: reading the files itself, it would read a half-written one, and a file with both
    /// certificate and key twice. Since 7.87 it would also keep the authorities for a day. A library that cannot take
    /// them from memory is given the paths.
    mutating func takeFiles() throws(EngineFailure) {
        let (identity, authorities) = try contentsOfFiles()
        do throws(OptionRefused) {
            if let identity { try take(identity: identity) } else if let files = self.identity { try take(files) }
            if let authorities { try take(authorities: authorities) }
        } catch {
            throw error.failure
        }
    }

    private func contentsOfFiles() throws(EngineFailure) -> (RenewedFiles.Content?, RenewedFiles.Content?) {
        do throws(CurlSession.Configuration.Problem) {
            return (try files.identity?.content(), try files.authorities?.content())
        } catch {
            throw error.failure
        }
    }

    private mutating func take(identity content: RenewedFiles.Content) throws(OptionRefused) {
        guard content.number != contents.identity, let certificate = content.parts.first, let key = content.parts.last
        else { return }
        try set(.sslCertBytes, certificate)
        try set(.sslKeyBytes, key)
        contents.identity = content.number
    }

    private mutating func take(authorities content: RenewedFiles.Content) throws(OptionRefused) {
        guard content.number != contents.authorities, let bundle = content.parts.first else { return }
        try set(.caInfoBytes, bundle)
        contents.authorities = content.number
    }

    private func take(_ identity: CurlSession.Configuration.Identity) throws(OptionRefused) {
        try set(.sslCert, identity.certificate.path)
        try set(.sslKey, (identity.key ?? identity.certificate).path)
    }

    private func set(_ option: CurlOption, _ data: Data) throws(OptionRefused) {
        let code = data.withUnsafeBytes { ccurl_set_bytes(state, option.rawValue, $0.baseAddress, $0.count) }
        try check(option, code)
    }
}
#endif
