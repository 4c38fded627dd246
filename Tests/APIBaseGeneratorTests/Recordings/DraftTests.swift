import Foundation
import OpenAPIDocument
import TestTiers
import Testing

@testable import APIBaseGenerator

@Suite(.limited) struct DraftTests {
    /// An entry of a recording.
    static func entry(
        _ method: String,
        _ url: String,
        _ status: Int,
        _ reply: String,
        headers: String = "",
        body: String = "",
        type: String = "application/json"
    ) -> String {
        let text = JSON.string(reply).line
        let post =
            body.isEmpty ? "" : #", "postData": {"mimeType": "\#(type)", "text": \#(JSON.string(body).line)}"#
        return #"""
            {"request": {"method": "\#(method)", "url": "\#(url)", "headers": [\#(headers)]\#(post)},
            "response": {"status": \#(status), "content": {"mimeType": "application/json; charset=utf-8", "text": \#(text)}}}
            """#
    }

    private static let entries = [
        entry(
            "GET",
            "https://api.example.com/v1/users/7?fields=name&api_key=SECRET1",
            200,
            #"{"id": 7, "name": "A", "at": "2026-01-02T03:04:05Z", "note": null}"#,
            headers: #"{"name": "Authorization", "value": "Bearer SECRET2"}, {"name": "X-Trace", "value": "SECRET3"}"#
        ),
        entry(
            "GET",
            "https://api.example.com/v1/users/8",
            200,
            #"{"id": 8.5, "name": "B", "at": "2026-01-02T03:04:05.5+02:00", "note": "n", "tags": [1, "x"]}"#
        ),
        entry(
            "POST",
            "https://api.example.com/v1/users",
            201,
            #"{"id": 9, "name": "C"}"#,
            body: #"{"name": "C", "password": "SECRET4"}"#
        ),
        entry("GET", "https://api.example.com/v1/reset/eyJhbGciOiJIUzI1NiIsInR5cCI6", 404, "{}"),
        entry("GET", "https://api.example.com/v1/users/8", 304, ""),
        entry("GET", "https://elsewhere.example/x", 200, "{}"),
    ]

    static func recording(_ entries: [String]) -> Data {
        Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8)
    }

    private func draft() throws -> String {
        try Draft(Self.recording(Self.entries), name: "a.har", base: "https://api.example.com/v1").document
    }

    @Test func `A draft from a recorded form has its fields as the members of the body, without their values`() throws {
        let form = "application/x-www-form-urlencoded"
        let entries = ["first+name=A&age=1", "first%20name=B&note"].map { body in
            Self.entry("POST", "https://api.example.com/v1/users", 201, "{}", body: body, type: form)
        }
        let text = try Draft(Self.recording(entries), name: "a.har", base: "https://api.example.com/v1").document
        for member in ["age", "first name", "note"] { #expect(text.contains("\"\(member)\": {")) }
        #expect(!text.contains("first+name") && !text.contains("\"A\"") && !text.contains("\"B\""))
    }

    @Test func `A draft from a recorded QUERY has its body and is of OpenAPI 3.2, whose field it is`() throws {
        let entry = Self.entry("QUERY", "https://api.example.com/v1/users", 200, "[]", body: #"{"name": "A"}"#)
        let text = try Draft(Self.recording([entry]), name: "a.har", base: "https://api.example.com/v1").document
        let json = try JSONReader.read(Data(text.utf8))
        #expect(json["openapi"]?.string == "3.2.0")
        #expect(json["paths"]?["/users"]?["query"]?["requestBody"] != nil)
        #expect(try Generated(text).requests.contains("super.init(.query("))
        #expect(try draft().contains("3.1.0"))
    }

    @Test func `An OpenAPI draft from a recording has path templates and schemas that fit all responses`() throws {
        let json = try JSONReader.read(Data(try draft().utf8))
        #expect(json["paths"]?.object?.names == ["/users/{userId}", "/users", "/reset/{resetId}"])
        let get = json["paths"]?["/users/{userId}"]?["get"]
        #expect(get?["responses"]?.object?.names == ["200"])
        let schema = get?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(schema?["required"]?.line == #"["id", "name", "at", "note"]"#)
        #expect(schema?["properties"]?["id"]?.line == #"{"type": "number"}"#)
        #expect(schema?["properties"]?["at"]?.line == #"{"type": "string", "format": "date-time"}"#)
        #expect(schema?["properties"]?["note"]?.line == #"{"type": ["string", "null"]}"#)
        #expect(schema?["properties"]?["tags"]?["items"]?["oneOf"]?.array?.count == 2)
        #expect(get?["parameters"]?.array?.map { $0["name"]?.string } == ["userId", "fields", "x-trace"])
    }

    @Test func `An OpenAPI draft from a recording declares the security schemes and contains no secret`() throws {
        let text = try draft()
        #expect(!text.contains("SECRET"))
        #expect(!text.contains("eyJ"))
        #expect(text.contains(#""bearer""#) && text.contains(#""apiKey""#))
    }

    @Test func `An OpenAPI draft from a recording is turned into request classes without a warning`() throws {
        let code = try Generated(try draft())
        #expect(code.requests.contains("class GetUsersByUserIDRequest"))
        #expect(code.warnings.isEmpty)
    }

    @Test func `Drafting OpenAPI throws a Refusal with the recorded hosts if the base URL matches no entry`() {
        let refusal = #expect(throws: Refusal.self) {
            try Draft(Self.recording(Self.entries), name: "a.har", base: "https://no.example")
        }
        #expect(refusal?.errorDescription?.contains("api.example.com") == true)
    }

    @Test(arguments: ["{}", "[]", "{\"log\": {}}", "no"])
    func `Drafting OpenAPI throws a Refusal if the file is not a recording`(text: String) {
        #expect {
            try Draft(Data(text.utf8), name: "a.har", base: nil)
        } throws: {
            $0 is Refusal || $0 is DocumentError
        }
    }

    @Test func `A recording with a path of 4,000 segments or 3,000 query items is drafted in time`() throws {
        let path = (0..<load(4_000)).map { "s\($0)" }.joined(separator: "/")
        let query = (0..<load(3_000)).map { "q\($0)=1" }.joined(separator: "&")
        let entries = (0..<load(30)).map {
            Self.entry("GET", "https://api.example.com/v1/\(path)/a\($0)?\(query)", 200, "{}")
        }
        let draft = try Draft(Self.recording(entries), name: "a.har", base: "https://api.example.com/v1").document
        #expect(draft.contains("\"q1\""))
    }

    @Test(arguments: [(#"{"a":"#, "}"), ("[", "]"), (#"[{"a":1,"b":"#, "}]"), (#"{"2026-01-02":"#, "}")])
    func `A recorded reply nested 600 deep gives a short draft that the generator reads, and a warning`(
        open: String,
        close: String
    ) throws {
        let depth = 600 / open.count { "{[".contains($0) }
        let reply = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        let recording = Self.recording([Self.entry("GET", "https://api.example.com/users/7", 200, reply)])
        let draft = try Draft(recording, name: "a.har", base: nil)
        #expect(
            draft.warnings == [
                "GET /users/{userId}: the reply is nested more than 100 deep, so it can be any JSON there"
            ]
        )
        let text = draft.document
        #expect(text.utf8.count < 200_000)
        #expect(try Generated(text).requests.contains("class GetUsersByUserIDRequest"))
    }

    @Test func `A recorded reply of type JSON that is not JSON has no schema in the draft, and a warning`() throws {
        let recording = Self.recording([Self.entry("GET", "https://api.example.com/users", 200, "{no}")])
        let draft = try Draft(recording, name: "a.har", base: "https://api.example.com")
        #expect(draft.warnings == ["GET /users: the reply is said to be JSON and is none that can be read"])
        #expect(!draft.document.contains("schema"))
    }

    /// Words with numbers, and numbers: the latter are keys of data.
    @Test(arguments: ["aBc", ""])
    func `A recorded reply with 40,000 different keys is drafted in time`(prefix: String) throws {
        let members = (0..<load(40_000)).map { #""\#(prefix)\#($0)": 1"# }.joined(separator: ",")
        let recording = Self.recording([Self.entry("GET", "https://api.example.com/users", 200, "{\(members)}")])
        let draft = try Draft(recording, name: "a.har", base: "https://api.example.com").document
        #expect(draft.contains(prefix.isEmpty ? "additionalProperties" : "\"aBc7\""))
    }

    @Test func `Keys of data and the password of the base URL are not in a draft, as all that was sent`() throws {
        let reply =
            #"{"byUser": {"ann@example.com": {"n": 1}, "bob@example.com": {"n": 2}}, "rates": {"2026-01-02": 1}}"#
        let data = Self.recording([Self.entry("GET", "https://api.example.com/v1/users", 200, reply)])
        let text = try Draft(data, name: "a.har", base: "https://ann:hunter2@api.example.com/v1").document
        #expect(!text.contains("ann") && !text.contains("bob") && !text.contains("hunter2") && !text.contains("2026"))
        #expect(text.contains("byUser") && text.contains("additionalProperties"))
    }

    /// Where a link's key would stand, or what looks like no word.
    @Test(arguments: [
        "reset/hunter2hunter2", "reset/hunter2", "invite/swordfish", "services/T0AAAAAAA/B0BBBBBBB/abcdefghijklmnop",
        "services/TAAAAAAAA/BBBBBBBBB/aBcDeFgHiJkLmNoP", "hooks/9f2c41d07a55", "verify/0O1l", "files/a%40b.example",
        "reset/hunter2hunter2/form", "magic/correcthorsebatterystaple", "s/Xy7", "u/qwertyuiopasdfghjkl",
    ])
    func `No segment of a recorded path that may be a secret is in the draft, nor in the name of a parameter`(
        path: String
    ) throws {
        let entries = [Self.entry("GET", "https://api.example.com/v1/\(path)", 200, "{}")]
        let draft = try Draft(Self.recording(entries), name: "a.har", base: "https://api.example.com/v1").document
        let words: Set<Substring> = [
            "reset", "invite", "services", "hooks", "verify", "files", "form", "magic", "s", "u",
        ]
        for part in path.split(separator: "/") where !words.contains(part) {
            #expect(!draft.lowercased().contains(part.lowercased()))
        }
        for part in path.split(separator: "/") where words.contains(part) { #expect(draft.contains("/\(part)")) }
    }

    @Test(arguments: [
        "users", "v1", "v1beta2", "oauth2/token", "me", "two-words", "cafe", "getUserByID", "password/reset/confirm",
        "tokens/revoke", "auth/login", "notification_preferences", "list-of-all-the-things-2026", "S3/base64",
        "users.json",
        "recommendations",
    ])
    func `Segments of a recorded path that are words stay in the draft as they are`(path: String) throws {
        let entries = [Self.entry("GET", "https://api.example.com/\(path)", 200, "{}")]
        let draft = try Draft(Self.recording(entries), name: "a.har", base: "https://api.example.com").document
        #expect(draft.contains("\"/\(path)\""))
    }
}

@Suite struct PathTemplatesTests {
    @Test func `Drafting treats numbers, UUIDs, dates and tokens in a path as parameter values, words as names`() {
        for value in [
            "7", "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "0123456789abcdef", "a@b.example", "2026-01-02",
            "eyJhbGciOiJIUzI1NiIsInR5",
        ] {
            #expect(PlainWords.isValue(value))
        }
        for name in ["users", "v1", "me", "two-words", "cafe", "list-of-all-the-things-2026"] {
            #expect(!PlainWords.isValue(name))
        }
    }

    @Test func `A varying segment of recorded paths becomes a parameter only if the responses are alike`() {
        let users = ["ann", "bob", "cyd"].map { (parts: ["users", $0], reply: "GET name") }
        let lists = ["books", "films", "songs"].map { (parts: ["all", $0], reply: "GET \($0)") }
        let templates = PathTemplates(users + lists)
        #expect(templates.template(of: ["users", "ann"]) == "/users/{userId}")
        #expect(templates.template(of: ["all", "books"]) == "/all/books")
    }
}
