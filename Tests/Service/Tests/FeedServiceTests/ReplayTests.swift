import APIBaseTesting
import Foundation
import Testing
import Upstream

@testable import FeedService

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
    /// The upstreams answer once. After that, the recording does, and they are gone.
    @Test(arguments: Way.allCases)
    func `The feed service gives the same feed from a HAR recording after its upstreams have shut down`(_ way: Way)
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let (port, recorded) = try await Upstream().run { port in
            let recording = try Recording(file: file)
            return (port, try await recording.run { try await feed(way, fromPort: port) })
        }
        let replay = try Recording(file: file, mode: .replay)
        let replayed = try await replay.run { try await feed(way, fromPort: port) }
        #expect(replayed == recorded)
        #expect(replayed.headlines.count == 60)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("secret-7f3a") == false)
    }

    private func feed(_ way: Way, fromPort port: Int) async throws -> Feed {
        let server = try #require(URL(string: "http://127.0.0.1:\(port)"))
        return try await WeatherAPI.withBaseURL(server.appendingPathComponent("weather")) {
            try await NewsAPI.withBaseURL(server.appendingPathComponent("news")) {
                try await TodoAPI.withBaseURL(server.appendingPathComponent("todo")) {
                    try await makeRouter().test(way) { try await $0.feed() }
                }
            }
        }
    }
}
