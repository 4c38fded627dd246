import APIBaseKit
import APIBaseRecording
import APIBaseStubs
import Foundation
import HostileServer
import TestTiers
import Testing

@testable import APIBaseInspector

/// A server that repeats a secret of a request in another spelling. Neither the file of a recording nor a page has it.
@Suite(.tags(.concurrent), .limited) struct RepeatedSecretsTests {
    /// A place of a response, or of a later request, with a repeated secret.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var path: @Sendable (_ text: String) -> String = { _ in "books/7" }
        var answer: @Sendable (_ text: String) -> StubAnswer = { _ in .text("ok") }
    }

    static let places = [
        Place(testDescription: "text", answer: { .text("The server says \($0).") }),
        Place(testDescription: "JSON", answer: { .json(#"{"a": [\#($0.quotedForJSON)]}"#) }),
        Place(testDescription: "key in JSON", answer: { .json(#"{\#($0.quotedForJSON): 1}"#) }),
        Place(testDescription: "page", answer: { .text("<p>\($0)</p>", headers: ["Content-Type": "text/html"]) }),
        Place(testDescription: "error", answer: { .text($0, status: 500) }),
        Place(testDescription: "header", answer: { .text("ok", headers: ["X-Echo": $0.forHeader]) }),
        Place(
            testDescription: "redirect",
            answer: { text in
                let path = text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
                return .status(302, headers: ["Location": "http://books.example/v2/\(path)"])
            }
        ),
        Place(
            testDescription: "later path",
            path: { $0.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "" }
        ),
    ]

    @Test(arguments: places, SecretSpelling.whole)
    func `A recording and the inspector remove a secret that a server repeats, in any spelling`(
        place: Place,
        spelling: SecretSpelling
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("repeated-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let feed = Feed()
        let stubs = Stubs()
        stubs.on().answer(inOrder: .text("ok"), place.answer(spelling.text), .text("ok"))
        let recording = try Recording(file: folder.appendingPathComponent("a.har"), mode: .once, over: stubs)
        try await recording.run {
            let login = Book(reporting: feed.report, "login") { $0.authorization = .bearer(SecretSpelling.secret) }
            _ = try? await login.value()
            _ = try? await Book(reporting: feed.report, place.path(spelling.text)).value()
        }
        try await feed.waitForTheLast()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: recording.file))
        for text in [String(decoding: try encoder.encode(feed.calls), as: UTF8.self), "\(file)"] {
            #expect(text.contains("login") && text.contains("REDACTED"))
            #expect(!spelling.isIn(text), "\(text)")
            // As it stands in JSON.
            #expect(!text.contains(spelling.text.quotedForJSON.dropFirst().dropLast()), "\(text)")
        }
    }
}
