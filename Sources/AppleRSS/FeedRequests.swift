public import APIBaseKit

/// `GET /{country}/{media}/{chart}/{count}/{type}.json`: a chart of one store.
open class FeedRequest: AppleRSSAPI, Request {
    /// Creates the request for a chart.
    ///
    /// - Parameters:
    ///   - chart: The chart, such as ``Chart/topFreeApps``.
    ///   - country: The country of the store, in two letters.
    ///   - count: How many places of the chart. The service has charts of 10, 25, 50 and 100, and answers with 404 to
    ///     most other numbers.
    public init(_ chart: Chart, country: String = "us", count: Int = 50) {
        super.init()
        path =
            "/\(segment: country)/\(segment: chart.media)/\(segment: chart.name)/\(segment: count)"
            + "/\(segment: chart.type).json"
    }

    /// The call. Its value is the feed.
    open func start() -> AnyPublisher<Feed, any Error> {
        sendRequest()
            .map(\.data)
            .decode(type: FeedResponse.self, decoder: JSONDecoder())
            .map(\.feed)
            .eraseToAnyPublisher()
    }
}

/// The apps that cost nothing, in one store.
public final class TopFreeAppsRequest: FeedRequest {
    /// Creates the request.
    ///
    /// - Parameters:
    ///   - country: The country of the store, in two letters.
    ///   - count: How many places of the chart.
    public init(country: String = "us", count: Int = 50) {
        super.init(.topFreeApps, country: country, count: count)
    }
}
