import AsyncHTTPClient
import Foundation
import HTTPTypes

@testable import FeedService

/// Clients of a service, each on a connection of its own.
struct Clients: Sendable {
    private let client: HTTPClient
    private let url: String

    init(port: Int) {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 200
        configuration.timeout.connect = .minutes(2)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        url = "http://localhost:\(port)/feed"
    }

    func feed(headers: HTTPFields) async throws -> Feed {
        var request = HTTPClientRequest(url: url)
        for field in headers { request.headers.add(name: field.name.rawName, value: field.value) }
        let response = try await client.execute(request, timeout: .minutes(2))
        let body = try await response.body.collect(upTo: 1 << 20)
        return try JSONDecoder().decode(Feed.self, from: Data(body.readableBytesView))
    }

    func shutDown() async throws { try await client.shutdown() }
}
