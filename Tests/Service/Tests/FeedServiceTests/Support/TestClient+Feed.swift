import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import FeedService

/// The ways to a router.
enum Way: Sendable, CaseIterable {
    case inProcess
    case overASocket

    var setup: TestingSetup { self == .inProcess ? .router : .live }
}

extension Router<BasicRequestContext> {
    /// Runs an application of the router.
    func test<Value>(_ way: Way, _ body: @Sendable (any TestClientProtocol) async throws -> Value) async throws -> Value
    {
        try await Application(router: self).test(way.setup, body)
    }
}

extension HTTPFields {
    /// One field.
    init(_ name: String, _ value: String) {
        self.init()
        self[name] = value
    }
}

extension TestClientProtocol {
    /// The feed, from a response that has to be 200.
    func feed(headers: HTTPFields = [:]) async throws -> Feed {
        try await execute(uri: "/feed", method: .get, headers: headers) { response in
            #expect(response.status == .ok)
            return try JSONDecoder().decode(Feed.self, from: Data(response.body.readableBytesView))
        }
    }
}
