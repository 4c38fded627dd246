import APIBaseKit

/// What the calls of all upstreams share.
class UpstreamAPI: JSONAPI {
    override func configure() {
        super.configure()
        session = Upstreams.session
        timeout = .seconds(10)
        retry = .standard
    }
}
