import Foundation
import Testing

/// Texts of any length for which a search for secrets could take long.
struct HostileText: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: String
    private let beginning: String
    private let piece: String
    private let end: String

    private init(
        _ name: String,
        _ piece: String,
        after beginning: String = "",
        end: String = "",
        type: String = "text/html"
    ) {
        (testDescription, self.type) = (name, type)
        (self.beginning, self.piece, self.end) = (beginning, piece, end)
    }

    /// The text with about `count` bytes.
    func bytes(_ count: Int) -> Data {
        let pieces = max(1, (count - beginning.utf8.count - end.utf8.count) / max(1, piece.utf8.count))
        return Data((beginning + String(repeating: piece, count: pieces) + end).utf8)
    }

    /// A usual response.
    static let ordinary = HostileText(
        "a list in JSON",
        #"{"id":4711,"title":"The sea, the sea","url":"https://books.example/v2/books/4711?page=2","tags":["a","b"]},"#,
        after: "[",
        end: "{}]",
        type: "application/json"
    )

    /// Some of all.
    static let some = all.indices.filter { $0 % 8 == 3 }.map { all[$0] }

    static let all: [HostileText] = [
        HostileText("inputs that do not end", #"<input name="password" value=""#),
        HostileText("tags that do not end", "<a "), HostileText("openings of tags", "<"),
        HostileText("attributes without end", " x=1", after: "<a"),
        HostileText("equals signs in tags", "=", after: "<a "),
        HostileText("tags with many attributes", "<a" + String(repeating: " x=1", count: 1_000) + ">"),
        HostileText("secret elements", "<password>abcdefg</password>"),
        HostileText("CDATA that does not end", "<a><![CDATA[]]"), HostileText("keys", "<key>token</key><string>"),
        HostileText("secret pairs", "?token=1&", type: "text/plain"), HostileText("pairs", "a=b&", type: "text/plain"),
        HostileText("form", "password=abcdefgh&", type: "application/x-www-form-urlencoded"),
        HostileText("ampersands", "&", type: "text/plain"), HostileText("ampersands of JSON", #"\u0026"#),
        HostileText("authorities", "://a:b@", type: "text/plain"), HostileText("slashes", "://"),
        HostileText("a secret without end", "token=", after: "?"), HostileText("sixes", "6"),
        HostileText("escaped quotes", #"\""#, after: "\""), HostileText("escaped quotes without a string", #"\""#),
        HostileText("quotes", "\""), HostileText("single quotes", "'"), HostileText("backslashes", "\\", after: "\""),
        HostileText("strings of one escape", #""\n":1,"#, type: "application/json"),
        HostileText("deep arrays", "[", type: "application/json"),
        HostileText("deep objects", #"{"a":"#, type: "application/json"),
        HostileText("deep objects in a secret", #"{"token":"#, type: "application/json"),
        HostileText("many numbers that are secret", #"{"pin":1234567},"#, type: "application/json"),
        HostileText("pairs of name and value", #"{"name":"password","value":"abcdefgh"},"#, type: "application/json"),
        HostileText("names without values", #"{"name":""#, type: "application/json"),
        HostileText("percent signs", "%", type: "text/plain"),
        HostileText("escaped letters", "%41", type: "text/plain"),
        HostileText("escapes of escapes", "%2525", type: "text/plain"), HostileText("entities", "&amp;"),
        HostileText("entities of entities", "&amp;amp;amp;amp;"), HostileText("character references", "&#x41;"),
        HostileText("escapes of all kinds", #"&quot;\\u0026%2525&amp;amp;"#, after: "\"", end: "\""),
        HostileText("assignments", ":=", type: "text/plain"), HostileText("assigned texts", ":'", type: "text/plain"),
        HostileText("assigned quotes", #"password:"abcdefgh","#, type: "text/plain"),
        HostileText("white space", " ", after: "\"token\":"), HostileText("lines", "\n", after: "token="),
        HostileText("boundaries", "--b\r\n", type: "multipart/form-data; boundary=b"),
        HostileText("small parts", "--b\r\nname=a\r\n\r\nx\r\n", type: "multipart/form-data; boundary=b"),
        HostileText(
            "secret parts",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nabcdefgh\r\n",
            type: "multipart/form-data; boundary=b"
        ),
        HostileText("names in a head", ";name=\"", after: "--b\r\n", type: "multipart/form-data; boundary=b"),
        HostileText("parts in parts", "--b\n\n", after: "--b\n\n", type: "multipart/mixed; boundary=b"),
        HostileText("credentials", "a", after: #"{"token":"Bearer "#, end: #"="}"#, type: "application/json"),
        HostileText(
            "parts of a long secret",
            "a",
            after: #"{"token":""# + String(repeating: "a", count: 300_000) + #"b"}"#
        ),
        HostileText(
            "secrets that begin alike",
            "aaaaaaaab",
            after: (6..<90).map { #"{"token":"\#(String(repeating: "a", count: $0))"}"# }.joined()
        ),
    ]
}
