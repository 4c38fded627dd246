public import APIBaseKit

/// Apple's RSS feeds of the charts in its stores: the base class of their calls.
open class AppleRSSAPI: JSONAPI {
    private static let host = URL(string: "https://rss.applemarketingtools.com/api/v2")

    /// The real host.
    open override class var baseURL: URL? { host }
}
