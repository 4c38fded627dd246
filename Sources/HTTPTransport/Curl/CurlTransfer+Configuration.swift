#if os(Linux) || os(Android)
import CCurl
import Foundation

extension CurlTransfer {
    /// Sets what is the same for all requests; false if libcurl refuses some of it.
    func apply(_ configuration: CurlSession.Configuration) -> Bool {
        applyConnection(configuration) && applyTLS(configuration)
    }

    private func applyConnection(_ configuration: CurlSession.Configuration) -> Bool {
        var isSet = set(CCURL_HTTP_VERSION, configuration.httpVersion.number)
        let seconds = configuration.idleConnectionLifetime.nanosecondsRoundedUp / 1_000_000_000
        isSet = isSet && set(CCURL_MAXAGE_CONN, Int(clamping: max(1, seconds)))
        switch configuration.proxy {
        case .environment: break
        case .none: isSet = isSet && set(CCURL_PROXY, "") && set(CCURL_NOPROXY, "*")
        case .url(let url, let except):
            isSet = isSet && set(CCURL_PROXY, url) && set(CCURL_NOPROXY, except.joined(separator: ","))
        }
        if let socket = configuration.unixSocket { isSet = isSet && set(CCURL_UNIX_SOCKET_PATH, socket) }
        if let local = configuration.localAddress {
            let isAddress = local.utf8.allSatisfy {
                $0.isASCIIHexDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
            }
            isSet = isSet && set(CCURL_INTERFACE, (isAddress ? "host!" : "if!") + local)
        }
        for (name, addresses) in configuration.addresses {
            isSet = isSet && add(CCURL_RESOLVE, name + ":" + addresses.joined(separator: ","))
        }
        return isSet
    }

    private func applyTLS(_ configuration: CurlSession.Configuration) -> Bool {
        var isSet = set(CCURL_SSLVERSION, configuration.minimumTLSVersion.number)
        if let file = configuration.certificateAuthorities {
            // Otherwise the system's directory of authorities would be trusted as well.
            isSet = isSet && set(CCURL_CAINFO, file.path) && set(CCURL_CAPATH, nil)
        }
        if let identity = configuration.identity {
            isSet = isSet && set(CCURL_SSLCERT, identity.certificate.path)
            isSet = isSet && set(CCURL_SSLKEY, (identity.key ?? identity.certificate).path)
            if let password = identity.password { isSet = isSet && set(CCURL_KEYPASSWD, password) }
        }
        if !configuration.pinnedKeys.isEmpty {
            let pins = configuration.pinnedKeys.map { "sha256//" + $0 }.joined(separator: ";")
            isSet = isSet && set(CCURL_PINNEDPUBLICKEY, pins)
        }
        return isSet
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
