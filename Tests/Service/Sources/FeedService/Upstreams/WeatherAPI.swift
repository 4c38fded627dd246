import APIBaseKit

class WeatherAPI: UpstreamAPI {
    override class var baseURL: URL? { URL(string: "https://weather.example/v1") }
}

final class WeatherRequest: WeatherAPI, APIRequest {
    typealias ModelType = Weather
    init(city: String) { super.init(.get("/now/\(segment: city)")) }
}

struct Weather: Codable, Hashable, Sendable {
    var sky: String
    var degrees: Int
}
