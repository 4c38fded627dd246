public import APIBaseKit

/// Apple's RSS feeds of the charts in its stores: the base class of their calls.
open class AppleRSSAPI: JSONAPI {
    private static let host = URL(string: "https://rss.applemarketingtools.com/api/v2")

    /// The real host.
    open override class var baseURL: URL? { host }
}

/// `GET /{country}/{media}/{chart}/{count}/{type}.json`: a chart of one store.
open class FeedRequest: AppleRSSAPI, Request {
    /// Creates the request for a chart, in a country given by its two-letter code.
    ///
    /// The service has charts of 10, 25, 50 and 100 items. It answers most other counts with 404.
    public init(_ chart: Chart, country: String = "us", count: Int = 50) { super.init(chart.top(count, in: country)) }
    /// The call. Its value is the feed.
    open func start() -> AnyPublisher<Feed, any Error> { decoded(FeedResponse.self).map(\.feed).eraseToAnyPublisher() }
}

/// The top free apps of one store.
public final class TopFreeAppsRequest: FeedRequest {
    /// Creates the request, for a country given by its two-letter code.
    public init(country: String = "us", count: Int = 50) { super.init(.topFreeApps, country: country, count: count) }
}

extension Chart {
    /// The endpoint of the first `count` items of the chart.
    fileprivate func top(_ count: Int, in country: String) -> JSONAPI.Endpoint {
        .get("/\(segment: country)/\(segment: media)/\(segment: name)/\(segment: count)/\(segment: type).json")
    }
}
