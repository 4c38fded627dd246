import Foundation
import Testing

@testable import HTTPTransport

/// The parts of a URL as the check reads them.
@Suite struct CheckedURLTests {
    @Test(arguments: [
        ("http://h", Origin(scheme: "http", host: "h", port: 80)),
        ("HTTPS://Host.Example/a", Origin(scheme: "https", host: "host.example", port: 443)),
        ("http://127.0.0.1:8080/?a=b", Origin(scheme: "http", host: "127.0.0.1", port: 8080)),
        ("https://h:00080?", Origin(scheme: "https", host: "h", port: 80)),
        ("http://[2001:DB8::1]/", Origin(scheme: "http", host: "2001:db8::1", port: 80)),
        ("http://h:/", Origin(scheme: "http", host: "h", port: 80)),
        ("https://[::1]:?a", Origin(scheme: "https", host: "::1", port: 443)),
        ("https://[::1]:444/", Origin(scheme: "https", host: "::1", port: 444)),
        ("http://[fe80::1%25eth0]:8080/a", Origin(scheme: "http", host: "fe80::1%25eth0", port: 8080)),
    ])
    func `The origin of a URL is its lowercase scheme and host, with the explicit or default port`(
        text: String,
        origin: Origin
    ) throws {
        #expect(try CheckedURL(text: text).origin == origin)
        #expect(URL(string: text)?.origin == origin)
    }

    @Test(arguments: ["http://user@H:81/", "http://h:81/#part", "HTTP://h:81/../a"])
    func `A URL with a user, fragment or dot segment, which CheckedURL rejects, still has an origin`(text: String) {
        #expect(throws: TransportError.InvalidRequest.self) { try CheckedURL(text: text) }
        #expect(URL(string: text)?.origin == Origin(scheme: "http", host: "h", port: 81))
    }

    @Test(arguments: [
        ("http://h", "http://h"), ("http://h?", "http://h"), ("http://h/a/?b?c", "http://h/a/"),
        ("http://[::1]:80/a?b=/", "http://[::1]:80/a"),
    ])
    func `CheckedURL.queryStart is the offset of the question mark, or of the text's end without a query`(
        text: String,
        location: String
    ) throws {
        let checked = try CheckedURL(text: text)
        #expect(checked.text == text)
        #expect(String(text.utf8.prefix(checked.queryStart)) == location)
    }

    @Test func `CheckedURL resolves a relative URL against its base URL`() throws {
        let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://h/a/")))
        #expect(try CheckedURL(url).text == "https://h/a/b?c")
    }
}
