import APIBaseKit
import Testing

@Suite struct FormTests {
    private func sent(_ body: HTTPBody) throws -> URLRequest {
        let call = Call()
        call.method = .post
        call.content = body
        return try call.buildURLRequest()
    }

    /// As the URL standard parses a form (section 5.1), and strictly: only what its serializer writes.
    private func parse(_ text: String) throws -> [[String]] {
        guard !text.isEmpty else { return [] }
        return try text.split(separator: "&", omittingEmptySubsequences: false).map { field in
            let parts = field.split(separator: "=", omittingEmptySubsequences: false)
            try #require(parts.count == 2)
            return try parts.map { part in
                try #require(
                    part.utf8.allSatisfy { byte in
                        "*-._+%".utf8.contains(byte) || (48...57).contains(byte) || (65...90).contains(byte)
                            || (97...122).contains(byte)
                    }
                )
                return try #require(part.replacing("+", with: " ").removingPercentEncoding)
            }
        }
    }

    @Test func `Form fields with any characters are read back unchanged by a URL-standard parser`() throws {
        let every = String(decoding: (0..<128).map { UInt8($0) }, as: UTF8.self) + "ä€🙂\u{0}"
        let fields = [("a", "1"), ("a", "2"), ("", ""), (every, every), ("x y", "1+1=2&3%20"), ("line", "\r\n")]
        let body = try #require(try sent(.form(fields)).httpBody)
        #expect(try parse(String(decoding: body, as: UTF8.self)) == fields.map { [$0.0, $0.1] })
    }

    @Test(arguments: [
        ("a b", "a+b"), ("+", "%2B"), ("*-._", "*-._"), ("~", "%7E"), ("'()!", "%27%28%29%21"), ("ä", "%C3%A4"),
        ("\n", "%0A"),
        ("&=;", "%26%3D%3B"), ("%41", "%2541"), ("", ""),
    ])
    func `A form field is percent-encoded as the URL standard specifies`(text: String, escaped: String) throws {
        #expect(try sent(.form([(text, text)])).httpBody == Data("\(escaped)=\(escaped)".utf8))
    }

    @Test func `A form body sets its own Content-Type, which only a header of the call overrides`() throws {
        let request = try sent(.form([("a", "b")]))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.value(forHTTPHeaderField: "Content-Length") == "3")
        let call = Call()
        call.method = .post
        call.contentType = "application/json"
        call.content = .form([])
        #expect(
            try call.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded"
        )
        call.headers["Content-Type"] = "text/plain"
        #expect(try call.buildURLRequest().value(forHTTPHeaderField: "Content-Type") == "text/plain")
    }

    @Test func `An Encodable object is sent as form fields; NaN and a bare number throw EncodingError`() throws {
        struct Login: Encodable {
            var user = "a&b"
            var remember = true
            var roles = ["x", "y"]
        }
        #expect(try sent(.form(Login())).httpBody == Data("remember=true&roles=x&roles=y&user=a%26b".utf8))
        let style = QueryStyle(arrays: .brackets, booleans: .numbers)
        #expect(
            try sent(.form(Login(), style: style)).httpBody
                == Data("remember=1&roles%5B%5D=x&roles%5B%5D=y&user=a%26b".utf8)
        )
        let notANumber = ["x": Double.nan]
        #expect(throws: EncodingError.self) { try sent(.form(notANumber)) }
        #expect(throws: EncodingError.self) { try sent(.form(7)) }
    }
}
