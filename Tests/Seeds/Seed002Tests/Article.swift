// swift-format-ignore-file
// The code of the article, as it stands there: only the imports are changed, and the indentation is restored, which the
// text has lost. `APIKey` and `baseURL` are those of this test's server instead of the real host.

import APIBaseKit

struct ImageData: Codable, Identifiable {
    let id: String
    let color: String
    let urls: [String: String]
}


struct API {

    private let decoder = JSONDecoder()


    enum Error: LocalizedError {
        case invalidURL(URL)
        case invalidResponse

        var errorDescription: String? {
            switch self {
                case .invalidResponse: return "Invalid Response"
                case .invalidURL(let url): return "Invalid URL - \(url)"
            }
        }
    }

    enum Endpoint {
        static let APIKey = "demo"
        static let baseURL = demoServer.url.appendingPathComponent("unsplash/")
        static let mock = URL(string: "http://0.0.0.0:3001/")!

        case mockPhotos
        case photos

        var url: URL {
            switch self {
                case .photos: return Endpoint.baseURL.appendingPathComponent("photos")
                case .mockPhotos: return Endpoint.mock.appendingPathComponent("photos")
            }
        }
    }

    func photos() -> AnyPublisher<[ImageData], Error> {
        var request = URLRequest(url: Endpoint.photos.url)
        request.allHTTPHeaderFields = ["Authorization": "Client-ID \(Endpoint.APIKey)"]
        return URLSession.shared.dataTaskPublisher(for: request)
            .map(\.data)
            .decode(type: [ImageData].self, decoder: decoder)
            .mapError { error in
            return .invalidResponse
        }
            .eraseToAnyPublisher()
    }
}
