import APIBaseKit
import Testing

/// Runs each test once on the default session and once on a `URLSession`, which serves where there is no other.
struct EverySession: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var current: any HTTPSession = DefaultSession.shared

    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
        async throws
    {
        let sessions: [any HTTPSession] = [DefaultSession.shared, URLSession(configuration: .ephemeral)]
        for session in sessions {
            try await Self.$current.withValue(session) { try await function() }
        }
    }
}

extension Trait where Self == EverySession {
    static var everySession: EverySession { EverySession() }
}
