// swift-format-ignore-file
#if os(Linux)
import APIBaseKit

func chooseURLSession(_ request: BookRequest) {
// sample 14
request.session = URLSession(configuration: .ephemeral)
// end
}

func configure(_ request: BookRequest) -> CurlSession {
// sample 15
var configuration = CurlSession.Configuration()
configuration.certificateAuthorities = URL(fileURLWithPath: "/etc/books/ca.pem")
configuration.connectionsPerHost = 32
configuration.proxy = .url("http://proxy.example:3128", except: ["localhost"])
configuration.addresses = ["books.example:443": ["127.0.0.1"]]
let session = CurlSession(configuration: configuration)
request.session = session
// end
return session
}

// sample webhooks
class WebhookAPI: JSONAPI {
    static let publicSession: CurlSession = {
        var configuration = CurlSession.Configuration()
        configuration.reach = .publicOnly(allowing: ["10.20.0.0/16"])
        return CurlSession(configuration: configuration)
    }()

    override func configure() {
        super.configure()
        session = Self.publicSession
    }
}
// end

func renewCertificates() -> CurlSession {
// sample certificates
var configuration = CurlSession.Configuration()
configuration.identity = .init(certificate: URL(fileURLWithPath: "/run/secrets/client.pem"))
configuration.certificateAuthorities = URL(fileURLWithPath: "/run/secrets/authorities.pem")
let session = CurlSession(configuration: configuration) { change in
    print(change)       // The changed files of identity are in use
}
// end
return session
}
#endif
