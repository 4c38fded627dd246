public import APIBaseKit
public import Testing

/// Has the calls of an API go to another base URL in a test or a suite; see ``Testing/Trait/baseURL(_:of:)``.
public struct BaseURLTrait: TestTrait, SuiteTrait, TestScoping {
    let url: URL
    let api: APIBase.Type

    /// Runs the test, or the tests of the suite, with that base URL.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await api.withBaseURL(url) { try await function() }
    }
}

extension Trait where Self == BaseURLTrait {
    /// Has all calls of an API that a test or a suite starts go to another base URL:
    /// `@Test(.baseURL(url, of: BooksAPI.self))`.
    ///
    /// As ``/APIBaseKit/APIBase/withBaseURL(_:isolation:_:)``: for the class and all that inherit from it, whatever the base
    /// URL of their request objects.
    public static func baseURL(_ url: URL, of api: APIBase.Type) -> Self {
        BaseURLTrait(url: url, api: api)
    }
}
