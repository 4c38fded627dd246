import APIBaseInspector
import APIBaseKit
import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// The page of a recording, as a file.
@Suite(.limited) struct RecordingPageTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("page-\(UUID().uuidString).har")

    /// The calls in the page of a recording with these entries.
    private func calls(_ entries: String...) throws -> (calls: [ShownCall], html: String) {
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8).write(to: file)
        let html = String(decoding: try RecordingPage.html(of: file), as: UTF8.self)
        let start = try #require(html.range(of: #"<script type="application/json" id="calls" data-recording>"#))
            .upperBound
        let end = try #require(html[start...].range(of: "</script>")).lowerBound
        return (try JSONDecoder().decode([ShownCall].self, from: Data(html[start..<end].utf8)), html)
    }

    private func entry(
        _ url: String,
        status: Int = 200,
        headers: String = "",
        redirect: String = "",
        body: String = "ok"
    ) -> String {
        """
        {"startedDateTime":"2026-01-02T03:04:05.678Z","time":12.5,"timings":{"send":0,"wait":10,"receive":2.5},
        "request":{"method":"GET","url":"\(url)","headers":[\(headers)]},
        "response":{"status":\(status),"headers":[],"redirectURL":"\(redirect)","content":{"size":2,"mimeType":"text/plain",
        "text":"\(body)"}}}
        """
    }

    @Test func `The page of a recording shows an entry as a call with its status, start and timings`() throws {
        let (calls, html) = try calls(entry("https://books.example/7"), entry("https://books.example/8", status: 500))
        #expect(calls.map(\.id) == [1, 2])
        #expect(calls.map(\.status) == [200, 500])
        #expect(calls[0].classes == nil)
        #expect(calls[0].state == "ended")
        #expect(calls[0].started == "2026-01-02T03:04:05.678Z")
        #expect(calls[0].time == 12.5)
        #expect(calls[0].attempts[0].segments.map(\.name) == ["first byte", "body"])
        #expect(calls[0].attempts[0].segments.map(\.time) == [10, 2.5])
        #expect(calls[0].attempts[0].segments.map(\.start) == [0, 10])
        #expect(
            html.contains(
                #"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-"#
            )
        )
        #expect(!html.contains("<!-- policy -->"))
    }

    @Test func `The page of a recording shows redirects and their target as one call of several attempts`() throws {
        let shown = try calls(
            entry("https://books.example/7", status: 302, redirect: "/8"),
            entry("https://books.example/8", status: 301, redirect: "https://books.example/9"),
            entry("https://books.example/9"),
            entry("https://books.example/9")
        ).calls
        #expect(shown.map(\.attempts.count) == [3, 1])
        #expect(shown[0].marks == ["redirect"])
        #expect(
            shown[0].attempts.map(\.reason) == ["302, redirect to /8", "301, redirect to https://books.example/9", nil]
        )
        #expect(shown[0].attempts.map(\.start) == [0, 12.5, 25])
        #expect(shown[0].time == 37.5)
    }

    @Test func `The page of a recording shows an entry with status 0 as a failed call without a response`() throws {
        let call = try #require(try calls(entry("https://books.example/7", status: 0)).calls.first)
        #expect(call.state == "failed")
        #expect(call.error == "There was no response.")
        #expect(call.last?.response == nil)
    }

    @Test func `The page of a recording has the messages of a socket, without secrets`() throws {
        let message = #"{"type":"send","time":1.5,"opcode":1,"data":"{\"token\":\"c4n4ry-s3cr3t\",\"room\":7}"}"#
        let ordinary = entry("wss://books.example/feed", status: 101)
        let (calls, html) = try calls(ordinary.dropLast() + #","_webSocketMessages":[\#(message)]}"#)
        #expect(calls.map(\.status) == [101])
        #expect(html.contains(#""_webSocketMessages":["#) && html.contains(#"\"room\":7"#))
        #expect(!html.contains("c4n4ry"))
    }

    @Test func `The page of a recording escapes markup of a recorded body in its HTML`() throws {
        let markup = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)>"
        let (calls, html) = try calls(entry("https://books.example/7", body: markup))
        #expect(calls[0].last?.response?.content?.text == markup)
        let isMarkup = html.contains("<script>alert") || html.contains("<img")
        #expect(!isMarkup)
    }

    @Test func `The page of a recording redacts secrets in its URLs, headers and bodies`() throws {
        let (_, html) = try calls(
            entry(
                "https://books.example/7?access_token=c4n4ry-in-url",
                headers: #"{"name":"Authorization","value":"Bearer c4n4ry-in-header"}"#,
                body: "c4n4ry-in-header"
            )
        )
        #expect(!html.contains("c4n4ry"))
        #expect(html.contains("REDACTED"))
    }

    /// What is secret in one entry is removed from all, also from those before.
    @Test func `The page of a recording removes a secret found in one entry from earlier entries too`() throws {
        let html = try calls(
            entry("https://books.example/7", body: "c4n4ry-in-header"),
            entry("https://books.example/7", headers: #"{"name":"Authorization","value":"Bearer c4n4ry-in-header"}"#)
        ).html
        #expect(!html.contains("c4n4ry"))
    }

    @Test func `The page of a recording shows a negative, tiny or huge time as at most 1e9 ms`() throws {
        for time in ["1e308", "-1", "0", "1e-300"] {
            let text = entry("https://books.example/7").replacing("12.5", with: time).replacing(
                ":10,",
                with: ":\(time),"
            )
            let call = try #require(try calls(text, text).calls.first)
            #expect(try #require(call.time) <= 1e9)
        }
    }

    @Test(arguments: ["", "[]", #"{"log":{}}"#, #"{"log":{"entries":[{}]}}"#])
    func `Making a page from a file that is no recording throws a RecordingError with the file name`(_ text: String)
        throws
    {
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try #require(throws: RecordingError.self) { try RecordingPage.html(of: file) }
        #expect(error.localizedDescription.contains(file.lastPathComponent))
    }

    @Test func `Making a page from a missing recording throws RecordingError.missingFile`() throws {
        #expect(throws: RecordingError.missingFile(file)) { try RecordingPage.html(of: file) }
    }

    @Test func `A recording without entries gives a page without calls`() throws {
        let shown = try calls().calls
        #expect(shown.isEmpty)
    }
}
