import APIBaseStubs
import APIBaseTesting
import Foundation
public import OpenAPIStubs
public import Testing

/// Holds the calls and the stubs of a test or a suite to the document of the API; see
/// ``Testing/Trait/document(_:fileID:filePath:)``.
public struct DocumentTrait: TestTrait, SuiteTrait, TestScoping {
    private let read: @Sendable () throws -> APIDocument

    init(_ read: @escaping @Sendable () throws -> APIDocument) { self.read = read }

    /// True: each test of a suite is held to the document by itself. A trait of the test for the same document replaces
    /// that of the suite.
    public var isRecursive: Bool { true }

    /// Lets calls and answers deviate from the document in these ways:
    /// `.document("openapi.json").allowing(.undocumentedStatus(503))`.
    ///
    /// A stub has an `allowing(_:)` too, for its own calls.
    public func allowing(_ deviations: Deviation...) -> Self { changing { $0.allowing(deviations) } }

    /// Records members that a schema does not name as warnings. With a toolchain before Swift 6.3, they are left out.
    public func allowingUnknownMembers() -> Self { changing { $0.allowingUnknownMembers() } }

    /// Compares only the calls of this class and its subclasses.
    public func of<API: APIBase>(_ api: API.Type) -> Self { changing { $0.of(api) } }

    private func changing(_ change: @escaping @Sendable (APIDocument) -> APIDocument) -> Self {
        Self { [read] in change(try read()) }
    }

    /// Runs the test, and records an issue for each finding: at the line of the stub, which in an attribute is that of
    /// the test's function, or at that of the call if it is noted by ``/APIBaseKit/APIBase/here(fileID:line:)``, or
    /// else at the test.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let inspector = DocumentInspector(try read())
        let result: Result<Void, any Error>
        do {
            result = .success(try await InspectorScope(inspector).runUnchecked { try await function() })
        } catch {
            result = .failure(error)
        }
        for (finding, place) in inspector.problems { Issue.record("\(finding)", sourceLocation: test.location(place)) }
        #if compiler(>=6.3)
        for (text, place) in inspector.warnings {
            Issue.record("\(text)", severity: .warning, sourceLocation: test.location(place))
        }
        #endif
        try result.get()
    }
}

extension Test {
    /// The place of a finding. Of a call, only the name of its file is known, which is mostly that of the test.
    fileprivate func location(_ place: SourcePlace?) -> SourceLocation {
        guard let location = place?.location else { return sourceLocation }
        guard location.fileID == sourceLocation.fileID else { return location }
        return SourceLocation(
            fileID: location.fileID,
            filePath: "\(sourceLocation._filePath)",
            line: location.line,
            column: location.column
        )
    }
}

extension Trait where Self == DocumentTrait {
    /// Holds the calls of a test or a suite, and the answers of its stubs, to the OpenAPI document of the API.
    ///
    /// ```swift
    /// @Suite(.document("openapi.json")) struct ShelfTests {
    ///     @Test(.stubs { $0.on(BookRequest.self).answer(.json(#"{"id": 7, "title": "Swift"}"#)) })
    ///     func theShelfShowsTheBook() async throws { … }
    /// }
    /// ```
    ///
    /// A call that is no operation of the document, lacks a parameter or a body, or has one that does not fit, is a
    /// failure of the test, and so is an answer that the document does not allow. ``APIDocument`` says what
    /// is compared. Calls that go to the network or are answered by a recording are compared as well; answers of
    /// ``/APIBaseKit/APIBase/stub(with:data:)`` are not, since nothing is sent for them.
    ///
    /// - Parameters:
    ///   - name: The path of a file beside the file of the test, or in one of the folders above it up to that of
    ///     `Package.swift`; or else of a resource of the test's target.
    ///   - fileID: The test's file and module.
    ///   - filePath: The test's file.
    /// - Returns: The trait. If there is no such document, or it cannot be read, the test fails with the reason.
    public static func document(
        _ name: String,
        fileID: String = #fileID,
        filePath: String = #filePath
    ) -> Self {
        DocumentTrait { try APIDocument(file: name, fileID: fileID, filePath: filePath) }
    }

    /// The same for a file at a URL.
    public static func document(_ url: URL) -> Self { DocumentTrait { try APIDocument(contentsOf: url) } }

    /// The same for a document that has been read.
    public static func document(_ document: APIDocument) -> Self { DocumentTrait { document } }
}
