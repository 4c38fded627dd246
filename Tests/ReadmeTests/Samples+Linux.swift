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
#endif
