import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// A new configuration without cookies, cache and credentials.
    static var hardened: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.harden()
        return configuration
    }

    /// The headers that a session of this configuration adds to its requests.
    var headers: HTTPHeaders {
        let named = (httpAdditionalHeaders ?? [:]).compactMap { name, value in
            (name as? String).map { ($0, String(describing: value)) }
        }
        return HTTPHeaders(Dictionary(named) { first, _ in first })
    }

    /// Takes away what would keep, add or answer with anything the request does not say.
    ///
    /// Without the cache and with the accept policy, `URLSession` on Linux is also twice as fast: it neither looks at the
    /// disk for each request nor for cookies in each header line.
    func harden() {
        urlCache = nil
        requestCachePolicy = .reloadIgnoringLocalCacheData
        httpCookieStorage = nil
        httpShouldSetCookies = false
        httpCookieAcceptPolicy = .never
        urlCredentialStorage = nil
    }
}
