import APIBaseKit

/// What the calls of all upstreams share.
class UpstreamAPI: TracedAPI {
    override init(_ endpoint: Endpoint) {
        super.init(endpoint)
        session = Upstreams.session
        timeout = .seconds(10)
        retry = .standard
    }
}
