public import APIBaseKit

/// Apple's RSS feeds of what is popular in its stores: everything their calls share.
open class AppleRSSAPI: JSONAPI {
    private static let host = URL(string: "https://rss.applemarketingtools.com/api/v2")

    /// The real host.
    open override class var baseURL: URL? { host }
}
