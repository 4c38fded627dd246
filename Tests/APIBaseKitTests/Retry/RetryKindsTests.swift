import APIBaseKit
import APIBaseStubs
import Basics
import TestTiers
import Testing

private final class Item: JSONAPI, Request {
    typealias ModelType = Int
    override class var baseURL: URL? { URL(string: "https://shop.example") }
    init(_ attempts: Int, _ limits: [RetryPolicy.Failure: Int]) {
        super.init(.get("/item"))
        retry = RetryPolicy(attempts: attempts, backoff: .none)
        retry.attemptsAfter = limits
    }
}

private struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var attempts = 3
    var limits: [RetryPolicy.Failure: Int]
    /// The failures in turn; the last one again and again.
    var failures: [StubAnswer]
    var expected: Int
}

/// The limits of attempts for failures of a kind.
@Suite(.limited) struct RetryKindsTests {
    private static let late = StubAnswer.json("1").delayed(by: .seconds(70))

    @Test(arguments: [
        Row(testDescription: "more for a status", limits: [.status(429): 5], failures: [.status(429)], expected: 5),
        Row(testDescription: "fewer for a status", limits: [.status(500): 1], failures: [.status(500)], expected: 1),
        Row(testDescription: "another status", limits: [.status(429): 5], failures: [.status(503)], expected: 3),
        Row(testDescription: "fewer for a timeout", limits: [.timeout: 2], failures: [late], expected: 2),
        Row(
            testDescription: "more for a connection",
            limits: [.connection: 4],
            failures: [.fault(.connectionLost)],
            expected: 4
        ),
        Row(testDescription: "no timeout", limits: [.timeout: 9], failures: [.fault(.connectionRefused)], expected: 3),
        Row(
            testDescription: "one after another",
            limits: [.status(429): 5],
            failures: [.status(429), .status(429), .status(429), .status(503)],
            expected: 4
        ),
        Row(
            testDescription: "only a kind",
            attempts: 1,
            limits: [.status(429): 2],
            failures: [.status(429)],
            expected: 2
        ),
        Row(
            testDescription: "a status that is not tried again",
            limits: [.status(404): 5],
            failures: [.status(404)],
            expected: 1
        ),
    ])
    private func `A kind of failure has its own largest number of attempts`(row: Row) async throws {
        let stubs = Stubs(clock: .immediate)
        let rest = Locked(row.failures)
        stubs.on(.get, "/item").answer { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        try await stubs.run { _ = try? await Item(row.attempts, row.limits).value() }
        #expect(stubs.calls.count == row.expected)
    }

    @Test func `Policies with different limits of a kind are different`() {
        var policy = RetryPolicy.standard
        policy.attemptsAfter[.timeout] = 1
        #expect(policy != .standard)
    }
}
