import APIBaseKit
import APIBaseRecording
import APIBaseStubs
import Foundation
import HostileServer
import TestTiers
import Testing

@testable import APIBaseInspector

/// A secret in each place of a call. No byte that a page gets contains it.
@Suite(.tags(.concurrent), .limited) struct SecretsTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var prepare: @Sendable (Book) -> Void = { _ in }
        var answer: StubAnswer = .text("ok")
        /// Whether the secret is known from then on, and is removed where a server repeats it.
        var isRepeated = true
    }

    static let canary = "c4n4ry/+=s3cr3t&x"
    static let inURL = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

    static let places: [Place] = [
        Place(testDescription: "bearer") { $0.authorization = .bearer(canary) },
        Place(testDescription: "basic") { $0.authorization = .basic(user: "me", password: canary) },
        Place(testDescription: "token") {
            $0.authorization = .tokens(TokenSource(Token(canary)) { _ in Token("other") })
        },
        Place(testDescription: "own authorization") { $0.authorization = .header("X-Own", canary) },
        Place(testDescription: "header") { $0.headers["X-Api-Key"] = canary },
        Place(testDescription: "declared header") {
            $0.headers["X-Mine"] = canary
            $0.secretHeaders = ["X-Mine"]
        },
        Place(testDescription: "cookie") { $0.headers["Cookie"] = "a=b; sid=\(canary)" },
        Place(testDescription: "query") { $0.queryItems = [URLQueryItem(name: "access_token", value: canary)] },
        Place(testDescription: "JSON") { $0.send(#"{"user":{"password":"\#(canary)"}}"#, "application/json") },
        Place(testDescription: "form") { $0.send("password=\(inURL)", "application/x-www-form-urlencoded") },
        Place(testDescription: "multipart") {
            let part = "--b\r\nContent-Disposition: form-data; name=\"secret\"\r\n\r\n\(canary)\r\n--b--\r\n"
            $0.send(part, "multipart/form-data; boundary=b")
        },
        Place(
            testDescription: "compressed",
            prepare: { $0.content = .form([("password", canary)]).compressed() },
            isRepeated: false
        ),
        Place(testDescription: "Set-Cookie", answer: .text("ok", headers: ["Set-Cookie": "sid=\(canary); Path=/"])),
        Place(
            testDescription: "response JSON",
            answer: .json(#"{"access_token":"\#(canary)","again":["\#(canary)"]}"#)
        ),
        Place(
            testDescription: "Location",
            answer: .text("ok", status: 201, headers: ["Location": "https://h.example/?token=\(inURL)"])
        ),
        Place(
            testDescription: "redirect",
            answer: .status(302, headers: ["Location": "http://books.example/v2/x?token=\(inURL)"])
        ),
        // The value begins before the limit, and ends before or after what is searched.
        Place(
            testDescription: "at the limit",
            answer: .json(#"{"a":"\#(String(repeating: "x", count: 65_500))","access_token":"\#(canary)"}"#),
        ),
        Place(
            testDescription: "over the limit",
            answer: .json(#"{"access_token":"\#(canary)\#(String(repeating: "x", count: 70_000))"}"#),
            isRepeated: false
        ),
        Place(
            testDescription: "far over the limit",
            answer: .json(#"{"access_token":"\#(canary)\#(String(repeating: "x", count: 100_000))"}"#),
            isRepeated: false
        ),
        Place(
            testDescription: "with its name after the limit",
            answer: .json(#"{"value":"\#(canary)","a":"\#(String(repeating: "x", count: 66_000))","name":"password"}"#),
        ),
        Place(
            testDescription: "after what is kept",
            answer: .text(String(repeating: "x", count: 90_000) + canary),
            isRepeated: false
        ),
        Place(testDescription: "error", answer: .json(#"{"token":"\#(canary)"}"#, status: 500)),
    ]

    @Test(arguments: places)
    func `The inspector sends no secret in any part of a request or response to its page`(_ place: Place) async throws {
        let feed = Feed()
        let stubs = Stubs()
        stubs.on().answer(inOrder: place.answer, .text("The server says \(Self.canary)."))
        let book = Book(reporting: feed.report, "login") {
            $0.method = .post
            place.prepare($0)
        }
        _ = try? await stubs.runUnchecked { try await book.value() }
        if place.isRepeated {
            _ = try? await stubs.runUnchecked { try await Book(reporting: feed.report, "echo").value() }
        }
        try await feed.waitForTheLast()
        // As it is sent to the page.
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let calls = feed.calls
        #expect(calls.count == (place.isRepeated ? 2 : 1))
        let bytes = String(decoding: try encoder.encode(calls), as: UTF8.self)
        let encoded = Data(Self.canary.utf8).base64EncodedString()
        for text in ["c4n4ry", "s3cr3t", String(encoded.prefix(20)), "YzRuNHJ5"] {
            #expect(!bytes.contains(text), "\(text) is in what the page got")
        }
        #expect(bytes.contains("/login"))
    }

    /// What is shown is what a recording of the same calls has in its file.
    @Test func `The inspector sends its page the same entries as a recording of the same calls has`() async throws {
        let inspector = try Inspector()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspector-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let stubs = Stubs()
        stubs.on(.get).answer(.json(#"{"title":"Emma","token":"\#(Self.canary)"}"#, headers: ["X-Theirs": "too"]))
        stubs.on(.post).answer(.status(201, data: Data([0xFF, 0x00])))
        let recording = try Recording(file: folder.appendingPathComponent("a.har"), mode: .once, over: stubs)
        try await recording.run {
            _ = try await Book(inspector) { $0.authorization = .bearer(Self.canary) }.value()
            _ = try await Book(inspector) {
                $0.method = .post
                $0.send("a=1&password=\(Self.inURL)", "application/x-www-form-urlencoded")
            }.value()
        }
        let shown = try await Page(inspector).events(2).filter { $0.data.contains(#""ended""#) }.map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.data.utf8))["attempts"]?[0]?["entry"]
        }
        let file = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: recording.file))
        let entries = try #require(file["log"]?["entries"])
        for index in 0..<2 {
            for part in ["request", "response"] {
                #expect(shown[index]?[part] == entries[index]?[part])
            }
        }
    }
}

extension Book {
    /// Sets the body and its type.
    fileprivate func send(_ text: String, _ type: String) {
        body = Data(text.utf8)
        headers["Content-Type"] = type
    }
}
