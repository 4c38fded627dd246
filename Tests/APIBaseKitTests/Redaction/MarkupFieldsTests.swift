import APIBaseKit
@testable import APIBaseRedaction
import Testing

@Suite struct MarkupFieldsTests {
    /// What does not end within the longest tag is not read again from the next bracket.
    @Test func `Redaction scans text with 3,000 unclosed HTML tags once, not once for each tag`() {
        let text = Array(String(repeating: #"<input name="password" value=""#, count: 3_000).utf8)
        let fields = MarkupFields(text) { _ in true }
        #expect((1...(text.count / 4_096 + 1)).contains(fields.attempts))
    }

    @Test(arguments: [
        ("<a <b <password>abc</password>", "<a <b <password>REDACTED</password>"),
        ("1 < 2 <x:client_secret y='z'>abc</x>", "1 < 2 <x:client_secret y='z'>REDACTED</x>"),
        ("<i value=\"a>b\" z name='token'/>abc", "<i value=\"REDACTED\" z name='token'/>abc"),
        ("<pin><![CDATA[a<b]]></pin><a>b</a>", "<pin><![CDATA[REDACTED]]></pin><a>b</a>"), ("<", "<"), ("<a", "<a"),
    ])
    func `Redaction hides secrets in XML or HTML with unclosed tags, namespaces, attributes or CDATA`(
        text: String,
        expected: String
    ) {
        let isSecret = FieldNames(["password", "client_secret", "token", "pin"]).contains
        #expect(
            String(decoding: MarkupFields(Array(text.utf8), isSecret: isSecret).edits.result, as: UTF8.self) == expected
        )
    }
}
