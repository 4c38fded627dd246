/// A call of an authorization server, with a URL that no base URL changes.
///
/// Watchers of the scope's account see it. The credentials and headers of that account are not for this server.
class AuthorizationServerCall: JSONAPI {
    init(_ endpoint: Endpoint, _ session: (any HTTPSession)?) {
        super.init(endpoint)
        if let session = session ?? account?.session { self.session = session }
        on(APIAccount(name: account?.name, baseURL: URL(string: path), watchers: account?.watchers ?? []))
        // A redirect would send the credentials in the body to another server.
        limits.redirects = 0
        limits.responseBytes = HTTPFailure.bodyLimit
        timeout = .seconds(30)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
    }
}
