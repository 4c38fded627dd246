import AsyncHTTPClient
import Foundation
import Hummingbird

/// The upstreams, asked by hand.
struct PlainUpstreams: Sendable {
    struct Refused: Error { let status: UInt }

    let client: HTTPClient
    let environment: [String: String]
    private let tokens = PlainTokens()

    init(client: HTTPClient, environment: [String: String]) {
        self.client = client
        self.environment = environment
    }

    func weather(city: String) async throws -> PlainFeed.Weather {
        try await decoded(HTTPClientRequest(url: "\(base("WEATHER_URL"))/now/\(city)")).value
    }

    func articles(ofPages count: Int) async throws -> [PlainFeed.Article] {
        var articles: [PlainFeed.Article] = []
        var next: String? = "\(base("NEWS_URL"))/articles"
        for _ in 0..<count {
            guard let url = next else { break }
            let (page, response): ([PlainFeed.Article], _) = try await decoded(HTTPClientRequest(url: url))
            articles += page
            let link = response.headers.first(name: "Link")?.split(separator: ">").first?.dropFirst()
            next = link.flatMap { URL(string: String($0), relativeTo: URL(string: url))?.absoluteString }
        }
        return articles
    }

    func todos() async throws -> [PlainFeed.Todo] {
        var request = HTTPClientRequest(url: "\(base("TODO_URL"))/todos")
        let token = try await tokens.token { try await newToken() }
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return try await decoded(request).value
    }

    private func newToken() async throws -> String {
        var request = HTTPClientRequest(url: "\(base("TODO_URL"))/token")
        request.method = .POST
        let reply: (value: [String: String], HTTPClientResponse) = try await decoded(request)
        return reply.value["token"] ?? ""
    }

    private func base(_ name: String) -> String { environment[name] ?? "" }

    private func decoded<Value: Decodable>(
        _ request: HTTPClientRequest
    ) async throws -> (value: Value, response: HTTPClientResponse) {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: .seconds(10))
        guard response.status == .ok else { throw Refused(status: response.status.code) }
        let body = try await response.body.collect(upTo: 32 << 20)
        return (try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView)), response)
    }
}

/// One token for all.
private actor PlainTokens {
    private var token: Task<String, any Error>?

    func token(_ make: @escaping @Sendable () async throws -> String) async throws -> String {
        let task = token ?? Task { try await make() }
        token = task
        return try await task.value
    }
}
