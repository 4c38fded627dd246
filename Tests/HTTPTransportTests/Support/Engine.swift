import HTTPTransport
import Testing

/// What carries the exchanges of a test.
enum Engine: String, CaseIterable {
    case urlSession, curl

    /// The one the test runs on, as ``Testing/Trait/everyEngine`` has it.
    @TaskLocal static var current = Engine.urlSession

    /// A session of the current engine, for this test alone.
    static func makeSession(connectionsPerHost: Int = 6) -> any TestedSession {
        current.makeSession(connectionsPerHost: connectionsPerHost)
    }
}

/// A session that tells what it is doing.
protocol TestedSession: HTTPSession {
    /// Exchanges that have been started and have not ended.
    var runningExchanges: Int { get }

    /// Finishes what has begun, and refuses everything else.
    func close()
}

extension HardenedSession: TestedSession {}

/// Runs each test once on every engine there is.
struct EveryEngine: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
        async throws
    {
        for engine in Engine.available {
            try await Engine.$current.withValue(engine) { try await function() }
        }
    }
}

extension Trait where Self == EveryEngine {
    static var everyEngine: EveryEngine { EveryEngine() }
}
