import APIBaseKit

/// What the calls of all upstreams share.
class UpstreamAPI: TracedAPI {
    override func configure() {
        super.configure()
        session = Upstreams.session
        timeout = .seconds(10)
        retry = .standard
    }
}
