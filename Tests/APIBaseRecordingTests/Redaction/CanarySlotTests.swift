import APIBaseRecording
import Foundation
import TestTiers
import Testing

/// A secret in every slot, within two nested encodings of every kind.
@Suite(.limited) struct CanarySlotTests {
    private let folder = TemporaryFolder()

    /// Texts with a secret in a place that marks it as one.
    private static let slots: [(name: String, text: @Sendable (String) -> String)] = [
        ("query", { "https://h.example/p?access_token=\($0)&x=1" }),
        ("fragment", { "https://h.example/cb#id_token=\($0)" }),
        ("code", { "https://h.example/cb?code=\($0)&state=7" }),
        ("user", { "https://me:\($0)@h.example/p" }),
        ("JSON", { #"{"password":"\#($0)","n":1}"# }),
        ("JSON name", { #"{"SecretAccessKey":"\#($0)"}"# }),
        ("JSON hash", { #"[{"passwordHash":"\#($0)"},{"pass":"\#($0)"},{"auth_key":"\#($0)"}]"# }),
        ("pairs", { #"[{"name":"password","value":"\#($0)"}]"# }),
        ("pairs turned round", { #"{"a":[{"value":"\#($0)","enabled":true,"key":"aws_secret_access_key"}]}"# }),
        ("form", { "user=me&password=\($0)" }),
        ("XML", { "<user><name>me</name><password>\($0)</password></user>" }),
        ("CDATA", { "<a><s:client_secret xmlns:s='x'><![CDATA[\($0)]]></s:client_secret></a>" }),
        ("attribute", { "<login user='me' password='\($0)'/>" }),
        ("input", { #"<input type="hidden" name="csrf_token" value="\#($0)">"# }),
        ("input turned round", { "<input value='\($0)' name='password'>" }),
        ("link", { "<a href='https://h.example/?a=1&access_token=\($0)'>x</a>" }),
        ("GraphQL", { #"mutation { login(user: "me", password: "\#($0)") { id } }"# }),
    ]

    /// Encodings of a text within another.
    private static let wrappers: [(name: String, text: @Sendable (String) -> String)] = [
        ("as it is", { $0 }),
        ("URL in a query", { "https://o.example/login?next=\(percent($0))&lang=en" }),
        ("value of a form", { "lang=en&state=\(percent($0))" }),
        ("value of JSON", { #"{"lang":"en","data":\#(json($0))}"# }),
        ("attribute of HTML", { "<div class=\"x\" data-props=\"\(html($0))\">text</div>" }),
        ("part of a body", { "--b\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n\($0)\r\n--b--\r\n" }),
    ]

    private static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func json(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func html(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
            .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
    }

    private static func line(_ text: String) -> String {
        text.replacingOccurrences(of: "\r\n", with: " ").trimmingCharacters(in: .whitespaces)
    }

    private static let places = ["request", "reply", "header", "reply header", "query"]

    @Test(.heavy, arguments: places)
    func `A recording redacts secrets in every pair of nested encodings, in bodies, headers and queries`(place: String)
        async throws
    {
        try await record(in: place)
    }

    @Test(arguments: places)
    func `A recording redacts secrets in a sample of nested encodings, in bodies, headers and queries`(place: String)
        async throws
    {
        // Without a common divisor with the number of encodings, so that all of them come.
        try await record(in: place, each: 17)
    }

    /// Records calls with slots in that place, each or one of so many.
    private func record(in place: String, each step: Int = 1) async throws {
        var cases: [(name: String, text: String)] = []
        for slot in Self.slots {
            for inner in Self.wrappers {
                // Bodies have all pairs of encodings. Fields and queries, which are searched alike, have single ones.
                let outers = ["request", "reply"].contains(place) ? Self.wrappers : [Self.wrappers[0]]
                for outer in outers where inner.name != "as it is" || outer.name == "as it is" {
                    let text = outer.text(inner.text(slot.text("c4n4ryNumber\(cases.count)x")))
                    cases.append(("\(slot.name) in \(inner.name) in \(outer.name)", text))
                }
            }
        }
        let replies = place.hasPrefix("reply") ? cases.map(\.text) : []
        let network = FakeNetwork { request in
            let number = Int(request.urlRequest.url?.lastPathComponent ?? "") ?? 0
            guard replies.indices.contains(number) else { return .init("fine") }
            return place == "reply"
                ? .init(replies[number]) : .init("", headers: ["X-Data": Self.line(replies[number])])
        }
        let recording = try Recording(file: folder.file(), over: network)
        try await recording.run {
            for (number, text) in cases.map(\.text).enumerated() where number.isMultiple(of: step) {
                let call = Fetch("/\(number)", place == "request" ? .post : .get)
                switch place {
                case "request": call.body = Data(text.utf8)
                case "header": call.headers["X-Data"] = Self.line(text)
                case "query": call.queryItems = [URLQueryItem(name: "q", value: text)]
                default: break
                }
                _ = try await call.value()
            }
        }
        let file = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(file.contains("http://api.example/\(step)"))
        let left = file.matches(of: /c4n4ryNumber(\d+)x/).compactMap { Int($0.1) }
        #expect(Set(left).sorted().map { cases[$0].name } == [])
    }

    @Test(arguments: [
        "X-Auth-Key", "Api-Token", "X-Token", "X-API-Token", "X-Secret-Key", "X-Password", "X-Authorization",
    ])
    func `A recording redacts a header with a word such as token, key or password in its name`(name: String)
        async throws
    {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("fine"))
        _ = try await recording.run { try await Fetch().with { $0.headers[name] = "c4n4ry-secret" }.value() }
        #expect(try !String(contentsOf: folder.file(), encoding: .utf8).contains("c4n4ry"))
    }

    /// A server repeats parts of the credentials.
    @Test(arguments: [
        #"Token token="c4n4ry-secret", nonce="def""#, "Token token=c4n4ry-secret",
        #"Digest username="me", realm="x", nonce="n", uri="/", response="c4n4ry-secret""#,
        #"OAuth oauth_consumer_key="c4n4ry-secret", oauth_version="1.0""#, "Bearer  c4n4ry-secret",
        "Bearer\tc4n4ry-secret", "bearer c4n4ry-secret", "c4n4ry-secret",
    ])
    func `A recording redacts the part of the Authorization credentials that a response repeats`(credentials: String)
        async throws
    {
        for isHeader in [true, false] {
            let file = folder.file("\(isHeader)")
            let recording = try Recording(file: file, over: FakeNetwork("it was [c4n4ry-secret], for realm x and me"))
            try await recording.run {
                let call = Fetch("/things", .post)
                if isHeader {
                    call.headers["Authorization"] = credentials
                } else {
                    call.body = try JSONEncoder().encode(["headers": ["Authorization": credentials]])
                }
                _ = try await call.value()
            }
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("it was [REDACTED], for realm x and me"))
            #expect(!text.contains("c4n4ry"))
        }
    }

    @Test
    func `A recording redacts a repeated Basic password when a JSON request field has the credentials`() async throws {
        let basic = "Basic \(Data("me:c4n4ry-secret".utf8).base64EncodedString())"
        let recording = try Recording(file: folder.file(), over: FakeNetwork("it was c4n4ry-secret"))
        let body = #"{"authorization":"\#(basic)"}"#
        _ = try await recording.run { try await Fetch("/things", .post, body: body).value() }
        #expect(try !String(contentsOf: folder.file(), encoding: .utf8).contains("c4n4ry"))
    }

    @Test(arguments: [
        "This is a preamble.\r\n--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nc4n4ry-secret\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name*=UTF-8''pass%77ord\r\n\r\nc4n4ry-secret\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
            + "cvv=c4n4ry/?secret&user=me\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
            + "--c\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nc4n4ry-secret\r\n--c--\r\n--b--",
        "--b\nContent-Disposition: form-data; name='x'; name=token\n\nc4n4ry-secret\n--b--",
    ])
    func `A recording redacts secrets in multipart bodies with unusual headers, nesting or line breaks`(body: String)
        async throws
    {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("fine"))
        try await recording.run {
            let call = Fetch("/things", .post, body: body)
            call.headers["Content-Type"] = "multipart/form-data; charset=utf-8; boundary=\"b\""
            _ = try await call.value()
        }
        #expect(try !String(contentsOf: folder.file(), encoding: .utf8).contains("c4n4ry"))
    }

    /// Text that is not secret stays the same, byte for byte.
    @Test(arguments: [
        "<a href='https://h.example/?access_token=S3CR3T'>c's</a>"
            + "|<a href='https://h.example/?access_token=REDACTED'>c's</a>",
        "go to /?next=https%3A%2F%2Fh%2F%3Fpage%3D2|go to /?next=https%3A%2F%2Fh%2F%3Fpage%3D2",
        #"[{"name":"user","value":"me"},{"value":"x"}]|[{"name":"user","value":"me"},{"value":"x"}]"#,
        "<name>me</name><value>you</value> a=\"b\", c: 'd'|<name>me</name><value>you</value> a=\"b\", c: 'd'",
        #"{"say":"\u00e4 \/ \"x\" &amp; 100%25"}|{"say":"\u00e4 \/ \"x\" &amp; 100%25"}"#,
    ])
    func `A recording redacts the secrets of a response and keeps its other text byte for byte`(pair: String)
        async throws
    {
        let halves = pair.split(separator: "|").map(String.init)
        let recording = try Recording(file: folder.file(), over: FakeNetwork(halves[0]))
        _ = try await recording.run { try await Fetch().value() }
        let replay = try Recording(file: folder.file(), mode: .replay)
        #expect(try await replay.run { try await Fetch().value() } == halves[1])
    }
}
