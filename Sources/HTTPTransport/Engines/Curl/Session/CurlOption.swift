#if os(Linux) || os(Android)
/// libcurl's options of a request. The numbers are part of its binary interface.
enum CurlOption: Int32 {
    case url = 10002
    case proxy = 10004
    case postFields = 10015
    case sslCert = 10025
    case keyPassword = 10026
    case sslVersion = 32
    case customRequest = 10036
    case noBody = 44
    case upload = 46
    case post = 47
    case freshConnect = 74
    case forbidReuse = 75
    case proxyTunnel = 61
    case interface = 10062
    case caInfo = 10065
    case httpGet = 80
    case httpVersion = 84
    case bufferSize = 98
    case sslKey = 10087
    case caPath = 10097
    case inFileSize = 30115
    case postFieldSize = 30120
    case noProxy = 10177
    case resolve = 10203
    case pinnedPublicKey = 10230
    case sslCertBytes = 40291
    case sslKeyBytes = 40292
    case caInfoBytes = 40309
    case unixSocketPath = 10231
    case pipeWait = 237
    case maxAgeConnection = 288
    case maxLifetimeConnection = 314
    case uploadBufferSize = 280
    case httpHeader = 10023

    /// The setting of ``CurlSession/Configuration`` that the option is made of; nil for an option of the request.
    var setting: String? {
        switch self {
        case .proxy, .noProxy: "proxy"
        case .sslCert, .sslCertBytes: "identity.certificate"
        case .sslKey, .sslKeyBytes, .keyPassword: "identity.key"
        case .sslVersion: "minimumTLSVersion"
        case .interface: "localAddress"
        case .caInfo, .caPath, .caInfoBytes: "certificateAuthorities"
        case .httpVersion: "httpVersion"
        case .resolve: "addresses"
        case .pinnedPublicKey: "pinnedKeys"
        case .unixSocketPath: "unixSocket"
        case .maxAgeConnection: "idleConnectionLifetime"
        case .maxLifetimeConnection: "connectionLifetime"
        default: nil
        }
    }
}

struct OptionRefused: Error {
    let option: CurlOption
    /// libcurl's number of the error.
    let code: Int32

    var failure: EngineFailure {
        let error = CurlSession.LibraryError(code: code, message: "The option \(option) was refused")
        guard let setting = option.setting else { return EngineFailure(reason: .engine, underlying: error) }
        return EngineFailure(reason: .invalidConfiguration(setting: setting), underlying: error)
    }
}
#endif
