// swift-format-ignore-file
// The samples about trust that need no CurlSession.

import APIBaseKit
import APIBaseTesting
import TestTiers
import Testing

// sample x
class FeedAPI: JSONAPI {
    static let reach = Reach.publicOnly()

    override func redirect(_ request: URLRequest, after response: HTTPURLResponse) -> URLRequest? {
        Self.reach.allows(host: request.url?.host ?? "") ? request : nil
    }
}
// end

// sample expiry
class WarningAPI: JSONAPI {
    override func report(_ event: CallEvent) {
        super.report(event)
        guard let expiry = event.timings?.connection?.certificateExpiry else { return }
        if expiry.timeIntervalSinceNow < 7 * 86_400 { print("\(type(of: self)): the certificate ends at \(expiry)") }
    }
}
// end

@Suite(.limited) struct TrustSampleTests {
    private final class FeedRequest: FeedAPI, Request {
        typealias ModelType = Data
        override init() { super.init(.get("https://feeds.example/feed")) }
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "0x7f000001", "169.254.169.254"])
    func `A redirect to a private address is not followed when only public hosts are allowed`(host: String) async throws {
        let stubs = Stubs()
        stubs.on(.get, "/feed").answer(.status(302, headers: ["Location": "https://\(host)/inside"]))
        stubs.on(.get, "/inside").optional()
        await #expect(throws: RequestError.self) { try await stubs.run { try await FeedRequest().value() } }
        #expect(stubs.calls.count == 1)
    }
}
