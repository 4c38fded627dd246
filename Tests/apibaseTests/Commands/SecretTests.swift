import APIBaseKit
import Testing

@testable import apibase

@Suite struct SecretTests {
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    @Test(arguments: [
        ("plain", "plain"), ("env:TOKEN", "from the environment"), ("env:EMPTY", ""), ("environment", "environment"),
    ])
    func `A secret option takes the secret itself, or env:NAME for an environment variable`(
        text: String,
        expected: String
    )
        throws
    {
        let environment = ["TOKEN": "from the environment", "EMPTY": ""]
        #expect(try Secret(text).resolved(.bearer, in: environment) == expected)
    }

    @Test func `A secret read from a file does not include the line breaks at the end of the file`() throws {
        defer { try? FileManager.default.removeItem(at: file) }
        try "two\nlines\r\n\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(try Secret("file:\(file.path)").resolved(.bearer, in: [:]) == "two\nlines")
    }

    @Test func `A secret from a missing variable or unreadable file throws UsageError.unavailable`() {
        #expect(throws: UsageError.unavailable("--bearer", reason: "there is no variable TOKEN")) {
            try Secret("env:TOKEN").resolved(.bearer, in: ["OTHER": "x"])
        }
        #expect(throws: UsageError.unavailable("--basic", reason: "\(file.path) is not a readable text file")) {
            try Secret("file:\(file.path)").resolved(.basic, in: [:])
        }
    }
}
