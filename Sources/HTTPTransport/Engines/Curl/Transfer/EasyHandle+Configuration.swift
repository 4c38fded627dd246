#if os(Linux) || os(Android)
import Basics
import CCurl
import Foundation

extension EasyHandle {
    /// Sets the options that are the same for all requests.
    func apply(_ configuration: CurlSession.Configuration) throws(OptionRefused) {
        try set(.httpVersion, configuration.httpVersion.number)
        let seconds = configuration.idleConnectionLifetime.nanosecondsRoundedUp / 1_000_000_000
        try set(.maxAgeConnection, Int(clamping: max(1, seconds)))
        if let lifetime = configuration.connectionLifetime { try limit(lifetime) }
        try apply(configuration.proxy)
        if let socket = configuration.unixSocket { try set(.unixSocketPath, socket) }
        if let local = configuration.localAddress {
            try set(.interface, (local.isAddress ? "host!" : "if!") + local)
        }
        for (name, addresses) in configuration.addresses {
            try check(.resolve, ccurl_add_address(state, name + ":" + addresses.joined(separator: ",")))
        }
        try applyTLS(configuration)
    }

    /// Limits the age of the connections that this handle uses, each handle by another part of the last tenth.
    private func limit(_ lifetime: Duration) throws(OptionRefused) {
        let seconds = min(lifetime, .seconds(3_155_760_000)) * Double.random(in: 0.9...1) / .seconds(1)
        // libcurl cuts the age to whole seconds and allows the limit itself. Zero would be no limit.
        try set(.maxLifetimeConnection, max(1, Int(seconds) - 1))
    }

    private func apply(_ proxy: CurlSession.Configuration.Proxy) throws(OptionRefused) {
        switch proxy {
        case .environment: break
        case .none:
            try set(.proxy, "")
            try set(.noProxy, "*")
        case .url(let url, let except):
            try set(.proxy, url)
            try set(.noProxy, except.joined(separator: ","))
        }
    }

    private func applyTLS(_ configuration: CurlSession.Configuration) throws(OptionRefused) {
        try set(.sslVersion, configuration.minimumTLSVersion.number)
        if let file = configuration.certificateAuthorities {
            try set(.caInfo, file.path)
            // Or else the system's directory of authorities would be trusted as well.
            try set(.caPath, nil)
        }
        if let password = configuration.identity?.password { try set(.keyPassword, password) }
        if !configuration.pinnedKeys.isEmpty {
            try set(.pinnedPublicKey, configuration.pinnedKeys.map { "sha256//" + $0 }.joined(separator: ";"))
        }
    }
}

extension EasyHandle {
    /// Sets the certificate and the key from their files. A file with both is read once: libcurl would read it twice,
    /// and it might be replaced in between.
    func present(_ identity: CurlSession.Configuration.Identity) throws(OptionRefused) {
        guard ccurl_has_cert_blobs() else {
            try set(.sslCert, identity.certificate.path)
            return try set(.sslKey, (identity.key ?? identity.certificate).path)
        }
        let certificate = try read(identity.certificate, for: .sslCertBytes)
        try set(.sslCertBytes, certificate)
        guard let key = identity.key else { return try set(.sslKeyBytes, certificate) }
        try set(.sslKeyBytes, try read(key, for: .sslKeyBytes))
    }

    private func read(_ file: URL, for option: CurlOption) throws(OptionRefused) -> Data {
        guard let data = try? Data(contentsOf: file) else {
            throw OptionRefused(option: option, code: CurlCode.readError.rawValue)
        }
        return data
    }

    private func set(_ option: CurlOption, _ data: Data) throws(OptionRefused) {
        let code = data.withUnsafeBytes { ccurl_set_bytes(state, option.rawValue, $0.baseAddress, $0.count) }
        try check(option, code)
    }
}

extension String {
    fileprivate var isAddress: Bool {
        utf8.allSatisfy { $0.isASCIIHexDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }
}

extension CurlSession.Configuration.HTTPVersion {
    /// `CURL_HTTP_VERSION_1_1`, `_2TLS` and `_2_PRIOR_KNOWLEDGE`.
    fileprivate var number: Int {
        switch self {
        case .http1: 2
        case .automatic: ccurl_has_http2() ? 4 : 2
        case .http2: 5
        }
    }
}

extension CurlSession.Configuration.TLSVersion {
    /// `CURL_SSLVERSION_TLSv1_2` and `_3`.
    fileprivate var number: Int { self == .tls12 ? 6 : 7 }
}
#endif
