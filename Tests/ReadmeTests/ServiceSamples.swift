// swift-format-ignore-file
// The samples of the article on services.

import APIBaseKit

/// What stands for a logger, and for a recorder of times.
private struct Logger: Sendable {
    func info(_ message: String) {}
}

private struct TimeRecorder: Sendable {
    func record(_ time: Duration, _ dimensions: [String: String]) {}
}

private let logger = Logger()
private let upstreamTimes = TimeRecorder()

// sample service log
class UpstreamAPI: JSONAPI {
    static let log = CallLog { line in logger.info(line) }

    override func report(_ event: CallEvent) { Self.log.report(event) }
}
// end

// sample service metrics
class MeasuredAPI: UpstreamAPI {
    override func report(_ event: CallEvent) {
        super.report(event)
        switch event {
        case .ended(let timings):
            upstreamTimes.record(timings.whole, ["call": "\(timings.call.type)", "status": "\(timings.statusCode ?? 0)"])
        case .failed(_, let timings):
            upstreamTimes.record(timings.whole, ["call": "\(timings.call.type)", "status": "none"])
        default: break
        }
    }
}
// end

final class WeatherRequest: UpstreamAPI, Request {
    typealias ModelType = [String]
    init(city: String) { super.init(.get("https://weather.example/\(segment: city)")) }
}

final class NewsRequest: UpstreamAPI, Request {
    typealias ModelType = [String]
    init(city: String) { super.init(.get("https://news.example/\(segment: city)")) }
}

// sample service handler
func startPage(of city: String) async throws -> [String] {
    async let weather = WeatherRequest(city: city).value()
    async let news = NewsRequest(city: city).value()
    return try await weather + news
}
// end

#if os(Linux)
// sample service session
enum Upstreams {
    static let session: CurlSession = {
        var configuration = CurlSession.Configuration()
        configuration.connectionsPerHost = 32
        return CurlSession(configuration: configuration)
    }()
}

class InternalAPI: JSONAPI {
    override init(_ endpoint: Endpoint) {
        super.init(endpoint)
        session = Upstreams.session
    }
}
// end

func end() async {
// sample service end
await Upstreams.session.shutdown()
// end
}
#endif
