import Foundation
import Testing

@testable import HTTPTransport

/// The names of servers, and what they stand for.
@Suite struct OriginPatternTests {
    @Test(arguments: [
        (
            "api.desk.example", ["https://api.desk.example", "HTTPS://API.Desk.Example:443/x?y"],
            [
                "http://api.desk.example", "http://api.desk.example:443", "https://api.desk.example:8443",
                "https://desk.example", "https://x.api.desk.example", "https://xapi.desk.example",
                "https://api.desk.example.evil.example", "https://api.desk.example.",
                "https://evil.example/api.desk.example",
            ]
        ),
        (
            "*.desk.example", ["https://api.desk.example", "https://A-1.DESK.example/x"],
            [
                "https://desk.example", "https://a.b.desk.example", "https://evildesk.example",
                "http://api.desk.example",
                "https://api.desk.example:8443", "https://api.desk.example.evil.example",
                "https://desk.example.evil.example",
            ]
        ),
        (
            "Api.Desk.Example:8443", ["https://api.desk.example:8443"],
            ["https://api.desk.example", "http://api.desk.example:8443"]
        ),
        (
            "*.desk.example:8443", ["https://api.desk.example:8443"],
            ["https://api.desk.example", "https://desk.example:8443"]
        ),
        (
            "HTTP://desk.internal:8080", ["http://desk.internal:8080"],
            ["https://desk.internal:8080", "http://desk.internal"]
        ),
        (
            "http://*.desk.internal", ["http://api.desk.internal"],
            ["https://api.desk.internal", "http://desk.internal"]
        ),
        ("https://localhost:8080", ["https://localhost:8080"], ["http://localhost:8080"]),
        (
            "localhost", ["http://localhost", "https://localhost"],
            ["http://localhost:8080", "http://localhost:443", "http://127.0.0.1"]
        ),
        (
            "127.0.0.1:8080", ["http://127.0.0.1:8080", "https://127.0.0.1:8080"],
            ["http://127.0.0.1", "http://127.0.0.2:8080"]
        ),
        ("[::1]:8080", ["http://[::1]:8080"], ["http://[::2]:8080", "http://localhost:8080"]),
        ("10.0.0.7", ["https://10.0.0.7"], ["http://10.0.0.7", "https://10.0.0.77"]),
    ])
    func `The name of a server stands for its host with its scheme and port, and an asterisk for one label`(
        name: String,
        own: [String],
        others: [String]
    ) throws {
        let pattern = try #require(OriginPattern(name))
        for url in own { #expect(pattern.matches(try CheckedURL(text: url).origin), "\(url)") }
        for url in others { #expect(!pattern.matches(try CheckedURL(text: url).origin), "\(url)") }
        for url in own + others {
            let origin = try CheckedURL(text: url).origin
            #expect(pattern.includes(origin.text) == pattern.matches(origin), "\(url)")
        }
        #expect(pattern.includes(pattern.text))
        #expect(OriginPattern("*.other.example").map { pattern.includes($0.text) } == false)
    }

    @Test(
        arguments: [
            "", "*", "*.", "**.desk.example", "*desk.example", "api.*.example", "*.*.desk.example", "*.example",
            "*.example.",
            "*.0.0.1", "*.[::1]", "*.localhost", "api.desk.example/", "api.desk.example/v1",
            "https://api.desk.example/",
            "api.desk.example?x", "api.desk.example#x", "u@api.desk.example", "https://u:p@api.desk.example",
            "//api.desk.example",
            "ftp://api.desk.example", "https://", "https://https://api.desk.example", "api.desk.example:0",
            "api.desk.example:x",
            "api.desk.example:65536", ":443", " api.desk.example", "api.desk.example\n", "api desk.example",
            "a..example",
            ".desk.example", "b\u{FC}cher.example", "api.desk.example,desk.example", "*.desk.example:x",
        ]
    )
    func `A name with more or less than a host, a scheme and a port names no server`(name: String) {
        #expect(OriginPattern(name) == nil)
    }
}
