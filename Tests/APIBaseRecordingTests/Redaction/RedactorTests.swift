import TestTiers
import Testing

@testable import APIBaseRecording

@Suite struct RedactorTests {
    /// The entry as it is written to the file.
    private func redacted(_ entry: HAR.Entry, secretHeaders: Set<String> = []) -> HAR.Entry {
        var entry = entry
        var redactor = Redactor(.default, secretHeaders: secretHeaders)
        redactor.redact(&entry)
        redactor.secrets.remove(from: &entry)
        return entry
    }

    private func redacted(_ body: String, type: String = "application/json") -> String? {
        redacted(.make(content: .make(body, type: type))).response.content.text
    }

    // MARK: Bodies

    @Test(arguments: [
        (#"{"token":"abc","id":7}"#, #"{"token":"REDACTED","id":7}"#),
        (#"{ "token" : "abc" , "ok":true }"#, #"{ "token" : "REDACTED" , "ok":true }"#),
        ("{\n\t\"access_token\":\n\"abc\"}", "{\n\t\"access_token\":\n\"REDACTED\"}"),
        (#"{"accessToken":"abc","Access-Token":"x"}"#, #"{"accessToken":"REDACTED","Access-Token":"REDACTED"}"#),
        (#"{"token":null,"secret":true,"password":""}"#, #"{"token":null,"secret":true,"password":""}"#),
        (#"{"pin":1234,"otp":-1.5e3,"n":1234}"#, #"{"pin":0,"otp":0,"n":1234}"#),
        (
            #"{"secret":{"a":"x","b":[1,"y",null]},"c":"x"}"#,
            #"{"secret":{"a":"REDACTED","b":[0,"REDACTED",null]},"c":"x"}"#
        ),
        (#"{"credentials":["a","b"],"token":{}}"#, #"{"credentials":["REDACTED","REDACTED"],"token":{}}"#),
        (#"[{"a":[{"token":"x"}]},{"token":"y"}]"#, #"[{"a":[{"token":"REDACTED"}]},{"token":"REDACTED"}]"#),
        (#"{"name":"token","value":"x"}"#, #"{"name":"token","value":"REDACTED"}"#),
        (#"{"key":"token","val":"x"}"#, #"{"key":"token","val":"REDACTED"}"#),
        (#"{"field":"token","content":"x"}"#, #"{"field":"token","content":"REDACTED"}"#),
        (#"{"value":"x","header":"token"}"#, #"{"value":"REDACTED","header":"token"}"#),
        (#"{"parameter":"token","value":"x"}"#, #"{"parameter":"token","value":"REDACTED"}"#),
        (#"{"param":"token","value":"x"}"#, #"{"param":"token","value":"REDACTED"}"#),
        (#"{"tok\u0065n":"a\"b\\"}"#, #"{"tok\u0065n":"REDACTED"}"#),
        (#"{"a":"token","b":"secret"}"#, #"{"a":"token","b":"secret"}"#),
        (#"{"data":"{\"token\":\"abc\"}"}"#, #"{"data":"{\"token\":\"REDACTED\"}"}"#),
        (#"{"token":"cut of"#, #"{"token":"REDACTED"#),
        (#"{"token":"#, #"{"token":"#), (#"{"token":12"#, #"{"token":0"#),
        (#"{"secret":{"a":"b"#, #"{"secret":{"a":"REDACTED"#),
        ("{\"token\":\"a\"}\n{\"token\":\"b\"}\n", "{\"token\":\"REDACTED\"}\n{\"token\":\"REDACTED\"}\n"),
        (#"{"title":"no secret","tokens":3}"#, #"{"title":"no secret","tokens":3}"#),
        ("", ""), ("\"", "\""), ("\\", "\\"), (#"{"a\"#, #"{"a\"#),
    ])
    func `The redactor replaces secret values of a JSON body and keeps all other bytes`(body: String, expected: String)
    {
        #expect(redacted(body) == expected)
        #expect(redacted(expected) == expected, "not stable")
    }

    @Test(arguments: [
        ("user=me&password=abc&x=1", "user=me&password=REDACTED&x=1"), ("password=a%26b", "password=REDACTED"),
        ("user%5Bpassword%5D=abc", "user%5Bpassword%5D=REDACTED"), ("api_key=a/b#c\"d", "api_key=REDACTED"),
        ("password=", "password="), ("password", "password"), ("", ""), ("=", "="),
    ])
    func `The redactor replaces secret fields of a form body`(body: String, expected: String) {
        #expect(redacted(body, type: "application/x-www-form-urlencoded; charset=utf-8") == expected)
    }

    @Test func `The redactor replaces secret parts of a multipart body`() {
        let body = [
            "--b", "Content-Disposition: form-data; name=\"title\"", "", "hello", "--b",
            "Content-Disposition: form-data; name=\"password\"", "", "line 1", "line 2", "--b",
            "Content-Disposition: form-data; name=token; filename=x", "Content-Type: text/plain", "", "abc", "--b--",
            "",
        ]
        let expected = body.joined(separator: "\r\n")
            .replacingOccurrences(of: "line 1\r\nline 2", with: "REDACTED")
            .replacingOccurrences(of: "abc", with: "REDACTED")
        #expect(redacted(body.joined(separator: "\r\n"), type: "multipart/form-data; boundary=b") == expected)
    }

    // MARK: URLs

    @Test(arguments: [
        ("https://h/p?page=2&api_key=abc#top", "https://h/p?page=2&api_key=REDACTED#top"),
        ("https://h/p?API-KEY=abc&key=&token", "https://h/p?API-KEY=REDACTED&key=&token"),
        ("https://me:abc@h/p@x", "https://REDACTED@h/p@x"), ("https://me@h/", "https://REDACTED@h/"),
        ("https://h/cb#access_token=abc&state=1", "https://h/cb#access_token=REDACTED&state=1"),
        ("https://h/p?X-Amz-Signature=abc&X-Amz-Date=1", "https://h/p?X-Amz-Signature=REDACTED&X-Amz-Date=1"),
        ("https://h/a:b?mail=a@b", "https://h/a:b?mail=a@b"),
    ])
    func `The redactor replaces secrets of a URL in the request line, headers, redirects and bodies`(
        url: String,
        expected: String
    ) {
        let entry = redacted(
            .make(
                "GET",
                url,
                requestHeaders: [HAR.Field(name: "Referer", value: url)],
                headers: [
                    HAR.Field(name: "Location", value: url),
                    HAR.Field(name: "Link", value: "<\(url)>; rel=\"next\", <\(url)>; rel=\"last\""),
                ],
                redirectURL: url,
                content: .make(#"{"next":"\#(url)","other":["\#(url)"]}"#)
            )
        )
        #expect(entry.request.url == expected)
        #expect(entry.request.headers[0].value == expected)
        #expect(
            entry.response.headers.map(\.value) == [
                expected, "<\(expected)>; rel=\"next\", <\(expected)>; rel=\"last\"",
            ]
        )
        #expect(entry.response.redirectURL == expected)
        #expect(entry.response.content.text == #"{"next":"\#(expected)","other":["\#(expected)"]}"#)
    }

    @Test(arguments: [
        (
            #"{"u":"https:\/\/me:abc@h\/p?token=a\/b\u003d&x=1"}"#,
            #"{"u":"https:\/\/REDACTED@h\/p?token=REDACTED&x=1"}"#
        ),
        (#"{"u":"http://h/?a=1\u0026token=abc\u0026b=2"}"#, #"{"u":"http://h/?a=1\u0026token=REDACTED\u0026b=2"}"#),
        (#"<a href="/p?a=1&amp;token=abc">x</a>"#, #"<a href="/p?a=1&amp;token=REDACTED">x</a>"#),
    ])
    func `The redactor replaces secrets of a URL that is escaped for JSON or HTML`(body: String, expected: String) {
        #expect(redacted(body) == expected)
    }

    // MARK: Headers and cookies

    @Test func `The redactor replaces Authorization, the headers declared secret and all cookies`() {
        let entry = redacted(
            .make(
                requestHeaders: [
                    HAR.Field(name: "authorization", value: "Bearer abc"), HAR.Field(name: "X-Mine", value: "abc"),
                    HAR.Field(name: "Accept", value: "text/plain"),
                ],
                requestCookies: [HAR.Field(name: "sid", value: "\"abcdefgh\"")],
                headers: [
                    HAR.Field(name: "Set-Cookie", value: "sid=abc; Path=/"), HAR.Field(name: "X-MINE", value: "d"),
                    HAR.Field(name: "X-Echo", value: "it is abcdefgh"),
                ],
                cookies: [HAR.Field(name: "sid", value: "abc")]
            ),
            secretHeaders: ["x-mine"]
        )
        #expect(entry.request.headers.map(\.value) == ["REDACTED", "REDACTED", "text/plain"])
        #expect(entry.response.headers.map(\.value) == ["REDACTED", "REDACTED", "it is REDACTED"])
        #expect((entry.request.cookies + entry.response.cookies).map(\.value) == ["REDACTED", "REDACTED"])
    }

    // MARK: Echoes

    @Test(arguments: [
        "s3cr3t/+=value", "s3cr3t%2F%2b%3dvalue", "s3cr3t\\/+=value", "s3cr3t\\u002f+\\u003Dvalue",
        "s3cr3t&#x2F;+&#61;value", Data("s3cr3t/+=value".utf8).base64EncodedString(),
    ])
    func `The redactor removes the value of a secret header wherever it is repeated, also if escaped`(echo: String) {
        let entry = redacted(
            .make(
                "GET",
                "https://h/\(echo)/x?q=\(echo)",
                requestHeaders: [HAR.Field(name: "X-Api-Key", value: "s3cr3t/+=value")],
                headers: [
                    HAR.Field(name: "X-Echo", value: "is \(echo)!"), HAR.Field(name: "Content-Length", value: "1"),
                ],
                content: .make("{\"echo\":\"<\(echo)>\"}")
            )
        )
        #expect(entry.request.url == "https://h/REDACTED/x?q=REDACTED")
        #expect(entry.response.headers.map(\.value) == ["is REDACTED!", "21"])
        #expect(entry.response.content.text == "{\"echo\":\"<REDACTED>\"}")
    }

    @Test func `The redactor removes a repeated secret from the status text and the media type`() {
        var entry = HAR.Entry.make(
            requestHeaders: [HAR.Field(name: "X-Api-Key", value: "s3cr3t-value")],
            content: .make("text", type: "text/plain; a=s3cr3t-value")
        )
        entry.response.statusText = "Hello s3cr3t-value"
        let response = redacted(entry).response
        #expect(response.statusText == "Hello REDACTED")
        #expect(response.content.mimeType == "text/plain; a=REDACTED")
    }

    @Test func `The redactor replaces a JSON number with 0 when it repeats a secret of the URL`() {
        let entry = redacted(
            .make("GET", "https://h/?key=12345678", content: .make(#"{"a":12345678,"b":["12345678"]}"#))
        )
        #expect(entry.response.content.text == #"{"a":0,"b":["REDACTED"]}"#)
    }

    @Test func `The redactor removes from the body all cookies of a comma-separated Set-Cookie header`() {
        let cookies = "a=first-cookie; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=other-cookie; Path=/"
        let entry = redacted(
            .make(
                headers: [
                    HAR.Field(name: "Set-Cookie", value: cookies), HAR.Field(name: "Date", value: "21 Oct 2026"),
                ],
                content: .make("first-cookie other-cookie", type: "text/plain")
            )
        )
        #expect(entry.response.content.text == "REDACTED REDACTED")
        #expect(entry.response.headers[1].value == "21 Oct 2026")
    }

    @Test(arguments: [
        "sid=abc,defghijklmnop", "sid=\"abc,defghijklmnop\"; Path=/", "abc,defghijklmnop", "=abc,defghijklmnop; Secure",
        "a=b; Path=/, sid=abc,defghijklmnop", "a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT, abc,defghijklmnop; Path=/",
        "sid=abc%2Cdefghijklmnop", "sid=\"abc,defghijklmnop;x\"; Path=/", "sid = abc,defghijklmnop ;Path=/",
        "a=b\nsid=abc,defghijklmnop",
    ])
    func `The redactor removes the whole value of a cookie from the body, also with a comma, quoted or without a name`(
        cookie: String
    ) {
        let body = "<abc,defghijklmnop> <abc%2Cdefghijklmnop>, GMT, 21 Oct 2026 07:28:00, Path=/, Secure"
        let entry = redacted(
            .make(
                headers: [HAR.Field(name: "Set-Cookie", value: cookie)],
                content: .make(body, type: "text/plain")
            )
        )
        let rest = "> <REDACTED>, GMT, 21 Oct 2026 07:28:00, Path=/, Secure"
        #expect(entry.response.content.text == "<REDACTED" + rest)
    }

    private static let wide: [(String.Encoding, mark: [UInt8])] = [
        (.utf16LittleEndian, []), (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, []),
        (.utf16BigEndian, [0xFE, 0xFF]), (.utf32LittleEndian, []), (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]),
        (.utf32BigEndian, []), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
    ]

    @Test(arguments: wide)
    func `The redactor replaces secrets of a body in UTF-16 or UTF-32, and keeps its encoding`(
        encoding: String.Encoding,
        mark: [UInt8]
    ) throws {
        func data(_ text: String) throws -> Data { Data(mark) + (try #require(text.data(using: encoding))) }
        func body(_ secret: String, _ pin: Int) -> String {
            #"{"é":"漢字 😀","password":"\#(secret)","pin":\#(pin),"echo":["<\#(secret)>"],"key":"\#(secret)"}"#
        }
        for isWhole in [true, false] {
            var original = try data(body("hünter22", 1234))
            var expected = try data(body("REDACTED", 0))
            // A log and the inspector cut a body anywhere.
            if !isWhole { (original, expected) = (original.dropLast(1), expected.dropLast(1)) }
            let entry = redacted(
                .make(
                    postData: HAR.PostData(original, type: "application/json"),
                    content: HAR.Content(original, type: "application/json")
                )
            )
            #expect(entry.request.postData?.data == expected)
            #expect(entry.response.content.data == expected)
        }
        let form = redacted(
            .make(
                requestHeaders: [HAR.Field(name: "X-Api-Key", value: "12345678")],
                postData: HAR.PostData(
                    try data("password=abc&x=12345678"),
                    type: "application/x-www-form-urlencoded; charset=utf-16"
                )
            )
        )
        #expect(form.request.postData?.data == (try data("password=REDACTED&x=REDACTED")))
    }

    @Test func `The redactor removes a repeated secret from bytes that only begin like UTF-16`() {
        for beginning: [UInt8] in [[1, 0], [0, 1], [1, 0, 0, 0], [0, 0, 0, 1], [0xFF, 0xFE], [0xFE, 0xFF]] {
            let entry = redacted(
                .make(
                    requestHeaders: [HAR.Field(name: "X-Api-Key", value: "hunter22")],
                    content: HAR.Content(Data(beginning + Array("a hunter22".utf8)), type: "application/octet-stream")
                )
            )
            #expect(entry.response.content.data == Data(beginning + Array("a REDACTED".utf8)))
        }
    }

    @Test func `The redactor keeps a word of the body that equals a short secret of the URL`() {
        let entry = redacted(.make("GET", "https://h/?key=photo", content: .make(#"{"kind":"photo"}"#)))
        #expect(entry.request.url == "https://h/?key=REDACTED")
        #expect(entry.response.content.text == #"{"kind":"photo"}"#)
    }

    /// If the password is “password”, the name of the field stays.
    @Test func `The redactor replaces a password that equals its field name, and keeps the field name`() {
        #expect(redacted(#"{"password":"password","a":"password"}"#) == #"{"password":"REDACTED","a":"password"}"#)
    }

    @Test func `The redactor removes the decoded password of Basic credentials from the response body`() {
        let credentials = Data("me:hunter22".utf8).base64EncodedString()
        let entry = redacted(
            .make(
                requestHeaders: [HAR.Field(name: "Authorization", value: "Basic \(credentials)")],
                content: .make("me hunter22 \(credentials)", type: "text/plain")
            )
        )
        #expect(entry.response.content.text == "me REDACTED REDACTED")
    }

    @Test func `The redactor removes a repeated secret from binary request and response bodies`() throws {
        let body = Data([0xFF, 0x00]) + Data("hunter22".utf8) + Data([0xFE])
        let entry = redacted(
            .make(
                requestHeaders: [HAR.Field(name: "X-Api-Key", value: "hunter22")],
                postData: HAR.PostData(body, type: "application/octet-stream"),
                content: HAR.Content(body, type: "application/octet-stream")
            )
        )
        let expected = Data([0xFF, 0x00]) + Data("REDACTED".utf8) + Data([0xFE])
        #expect(entry.response.content.data == expected)
        #expect(entry.request.postData?.data == expected)
    }

    /// A search that starts again at every byte would take minutes for these texts.
    private static let hostile = [
        ("\"", "\\\""), ("", "\""), ("", "\\"), ("", "&"), ("", "\"a\":"), ("", "\"token\":{"), ("", "://"),
        ("\"token\"", " "), ("", "?token="),
    ]

    @Test(.limited, .heavy, arguments: hostile)
    func `Redaction of every hostile JSON body of 20 kB ends within a minute`(beginning: String, piece: String) {
        redactHostile(beginning, piece)
    }

    @Test(.limited, arguments: [hostile[0], hostile[5], hostile[7]])
    func `Redaction of a few hostile JSON bodies of 20 kB ends within a minute`(beginning: String, piece: String) {
        redactHostile(beginning, piece)
    }

    private func redactHostile(_ beginning: String, _ piece: String) {
        let body = beginning + String(repeating: piece, count: 20_000 / piece.utf8.count)
        let secret = HAR.Field(name: "X-Api-Key", value: String(repeating: "\"", count: 100))
        #expect(redacted(.make(requestHeaders: [secret], content: .make(body))).request.headers[0].value == "REDACTED")
    }

    // MARK: Single values

    /// What a viewer of calls needs: a body and a text without an entry, and the places that repeat their secrets.
    @Test func `The redactor redacts a single body or URL and then removes their secrets from other text`() {
        var redactor = Redactor()
        let body = redactor.redacted(Data(#"{"token":"abc-def-ghi","id":7}"#.utf8), type: "application/json")
        #expect(String(decoding: body, as: UTF8.self) == #"{"token":"REDACTED","id":7}"#)
        #expect(redactor.redacted("https://h.example/?api_key=123-456-789") == "https://h.example/?api_key=REDACTED")
        let plain = Data("nothing secret".utf8)
        #expect(redactor.redacted(plain, type: "text/plain") == plain)
        let echo = redactor.secrets.removed(from: Data("abc-def-ghi, then 123%2D456-789".utf8))
        #expect(String(decoding: echo, as: UTF8.self) == "REDACTED, then REDACTED")
        #expect(redactor.secrets.removed(from: "abc-def-ghi") == "REDACTED")
    }
}
