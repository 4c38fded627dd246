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
        // libcurl allows the limit itself. Zero would be no limit.
        if let seconds = configuration.lifetimeSeconds { try set(.maxLifetimeConnection, seconds - 1) }
        try apply(configuration.proxy)
        if let socket = configuration.unixSocket { try set(.unixSocketPath, socket) }
        if let local = configuration.localAddress {
            try set(.interface, (local.isAddress ? "host!" : "if!") + local)
        }
        for (name, addresses) in configuration.addresses {
            try check(.resolve, ccurl_add_address(state, name + ":" + addresses.joined(separator: ",")))
        }
        if configuration.reach != .anywhere { checkAddresses() }
        try applyTLS(configuration)
    }

    /// Has each address checked before it is dialed.
    private func checkAddresses() {
        state.pointee.may_connect = { state, bytes, count in
            guard let state else { return false }
            return Transfer.of(state)?.mayConnect(with: UnsafeRawBufferPointer(start: bytes, count: count)) ?? false
        }
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

extension CurlSession.Configuration {
    /// The age from which a connection is not used, in whole seconds, as libcurl counts it.
    var lifetimeSeconds: Int? {
        connectionLifetime.map { max(2, Int(min($0, .seconds(3_155_760_000)) / .seconds(1))) }
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
