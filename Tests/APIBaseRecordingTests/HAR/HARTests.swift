@testable import APIBaseRecording
import Testing

@Suite struct HARTests {
    private let folder = TemporaryFolder()

    // MARK: Reading

    @Test func `The HAR reader reads URLs, headers, bodies and statuses from a Chrome export`() throws {
        let entries = try HAR(contentsOf: folder.write(BrowserExports.chrome)).log.entries
        #expect(
            entries.map(\.request.url) == [
                "https://shop.example/api/items?page=1&access_token=chrome-secret-1", "https://shop.example/dot.png",
                "https://ads.example/blocked.js",
            ]
        )
        #expect(entries[0].response.headers.map(\.name).suffix(2) == ["x-first", "x-first"])
        #expect(entries[0].response.content.data == Data(#"{"items":["Tee","Käse"],"next":2}"#.utf8))
        #expect(entries[1].response.content.data == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(entries[2].response.status == 0)
    }

    @Test func `The HAR reader reads a form body and a response without text from a Firefox export`() throws {
        let entries = try HAR(contentsOf: folder.write(BrowserExports.firefox)).log.entries
        #expect(entries[0].request.postData?.data == Data("user=tee&password=firefox-secret".utf8))
        #expect(entries[0].response.status == 303)
        #expect(entries[1].response.content.text == nil)
    }

    @Test func `A HAR form body without text is built from its percent-encoded params`() throws {
        let body = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded",
            text: nil,
            params: [HAR.Field(name: "a b", value: "c&d"), HAR.Field(name: "e", value: "")]
        )
        #expect(body.data == Data("a%20b=c%26d&e=".utf8))
    }

    @Test func `A new HAR names the version of this package as its creator's version`() throws {
        let text = String(decoding: try JSONEncoder().encode(HAR(entries: [])), as: UTF8.self)
        #expect(text.contains(#""version":"\#(PackageVersion.number)""#))
    }

    @Test func `A HAR file with a byte order mark and only method, URL and status can be read`() throws {
        let text = #"{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":204}}]}}"#
        let entry = try #require(try HAR(contentsOf: folder.write("\u{FEFF}" + text)).log.entries.first)
        #expect(entry.response.status == 204)
        #expect(entry.response.content.data == Data())
    }

    // MARK: Writing

    @Test(arguments: [
        Data(), Data("text with \"quotes\", \\ and /\r\n\t\u{0}\u{2028}\u{FEFF}ä😀e\u{301}".utf8),
        Data([0xFF, 0xFE, 0x00]),
        Data([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]), Data((0...255).map { UInt8($0) }), Data("\u{FEFF}{}".utf8),
    ])
    func `Text and binary bodies stay the same when a HAR file is written and read again`(body: Data) throws {
        let file = folder.file("deep/down/test.har")
        let entry = HAR.Entry.make(
            postData: HAR.PostData(body, type: "application/octet-stream"),
            content: HAR.Content(body, type: "application/octet-stream")
        )
        try HAR(entries: [entry]).write(to: file)
        let read = try #require(try HAR(contentsOf: file).log.entries.first)
        #expect(read == entry)
        #expect(read.response.content.data == body)
        #expect(read.request.postData?.data == body)
    }

    @Test func `A written HAR is indented, has unescaped slashes and keeps the order of headers`() throws {
        let entry = HAR.Entry.make(headers: [HAR.Field(name: "B", value: "1"), HAR.Field(name: "A", value: "2")])
        let text = String(decoding: try HAR(entries: [entry]).text(), as: UTF8.self)
        #expect(text.contains("https://api.example/things"))
        #expect(text.contains("\n    \"entries\" : ["))
        #expect(text.hasSuffix("}\n"))
        let names = try HAR(Data(text.utf8), file: folder.file()).log.entries[0].response.headers.map(\.name)
        #expect(names == ["B", "A"])
        #expect(try HAR(entries: [entry]).text() == Data(text.utf8))
    }

    @Test func `Writing a HAR file fails with unwritableFile when its parent is not a folder`() throws {
        let blocked = try folder.write("not a folder", to: "blocked").appendingPathComponent("test.har")
        #expect {
            try HAR(entries: []).write(to: blocked)
        } throws: { error in
            guard case RecordingError.unwritableFile(blocked, _) = error else { return false }
            return error.localizedDescription.hasPrefix("The recording \(blocked.path) cannot be written: ")
        }
    }

    // MARK: Broken files

    @Test func `A read of a HAR fails with missingFile when the file does not exist`() {
        let file = folder.file("nothing.har")
        #expect(throws: RecordingError.missingFile(file)) { try HAR(contentsOf: file) }
        #expect(
            RecordingError.missingFile(file).localizedDescription
                == "There is no recording at \(file.path) to replay. The modes .once and .new make one."
        )
    }

    @Test func `A read of a HAR fails with unreadableFile when the path is a folder`() throws {
        _ = try folder.write("")
        #expect(throws: RecordingError.unreadableFile(folder.url, reason: "It is a folder, not a regular file.")) {
            try HAR(contentsOf: folder.url)
        }
    }

    @Test(arguments: ["", "{", "<html>", #"{"log":{"entries":[}"#, #"{"log": {"entries": []}} x"#, "\u{0}"])
    func `A read of a HAR fails with notJSON when the file is not JSON`(text: String) throws {
        let file = try folder.write(text)
        #expect {
            try HAR(contentsOf: file)
        } throws: { error in
            guard case RecordingError.notJSON(file, let reason) = error else { return false }
            return !reason.isEmpty
                && error.localizedDescription == "The recording \(file.path) is not JSON: \(reason)"
        }
    }

    /// Mistakes in a file that was edited by hand.
    @Test func `The notJSON error of a malformed HAR file names the line and the column of the mistake`() throws {
        let file = try folder.write("{\"log\": {\n  \"entries\": [\n    {\"request\": }\n]}}")
        #expect {
            try HAR(contentsOf: file)
        } throws: { error in
            guard case RecordingError.notJSON(_, let reason) = error else { return false }
            return reason.contains("line 3") && reason.contains("column")
        }
    }

    @Test(
        arguments: [
            ("[]", "", .notA("Object")),
            ("{}", "log", .missing),
            (#"{"log":{}}"#, "log.entries", .missing),
            (#"{"log":{"entries":{}}}"#, "log.entries", .notA("Array")),
            (#"{"log":{"entries":null}}"#, "log.entries", .missing), (#"{"log":null}"#, "log", .missing),
            (#"{"log":{"entries":[{}]}}"#, "log.entries[0].request", .notARequest),
            (#"{"log":{"entries":[7, {"request":{"method":"GET"}}]}}"#, "log.entries[0].request", .notARequest),
            (
                #"{"log":{"entries":[{"request":{"method":"GET","url":"http://["}}]}}"#, "log.entries[0].request",
                .notARequest
            ),
        ] as [(String, String, RecordingError.Problem)]
    )
    func `Reading a HAR fails with wrongShape, which names the key, for a missing or invalid value`(
        text: String,
        key: String,
        problem: RecordingError.Problem
    ) throws {
        let file = try folder.write(text)
        #expect(throws: RecordingError.wrongShape(file, key: key, problem: problem)) { try HAR(contentsOf: file) }
    }

    @Test func `The message of a HAR file's wrongShape error names the file, the key and the problem`() {
        let file = folder.file()
        let error = RecordingError.wrongShape(file, key: "log.entries", problem: .missing)
        #expect(
            error.localizedDescription == "The recording \(file.path) is not a HAR that can be replayed: "
                + "log.entries is missing."
        )
    }
}
