import APIBaseKit

class TickerAPI: UpstreamAPI {
    override class var baseURL: URL? { URL(string: "https://ticker.example") }
}

/// Prices, as server-sent events.
final class PricesRequest: TickerAPI {
    override init() { super.init(.get("/prices")) }
}
