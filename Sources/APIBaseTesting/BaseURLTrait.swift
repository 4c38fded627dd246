public import APIBaseKit
public import Testing

/// Sends the calls of an API to another base URL in a test or a suite; see ``Testing/Trait/baseURL(_:of:)``.
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
    /// Sends all calls of an API that a test or a suite starts to another base URL:
    /// `@Test(.baseURL(url, of: BooksAPI.self))`.
    ///
    /// It applies to the class and its subclasses, whatever the base URL of their request objects is, like
    /// ``/APIBaseKit/APIBase/withBaseURL(_:isolation:_:)``.
    public static func baseURL(_ url: URL, of api: APIBase.Type) -> Self {
        BaseURLTrait(url: url, api: api)
    }
}
