import Testing

@testable import apibase

@Suite struct RequestItemTests {
    @Test(
        arguments: [
            ("Name:value", "Name", .header, "value"), ("Name: value", "Name", .header, " value"),
            ("Name;", "Name", .emptyHeader, ""), ("Name:", "Name", .header, ""),
            ("a==b", "a", .query, "b"), ("a==", "a", .query, ""), ("a==b=c", "a", .query, "b=c"),
            ("a=b", "a", .text, "b"), ("a=", "a", .text, ""), ("a=b:c@d==e", "a", .text, "b:c@d==e"),
            ("a:=1", "a", .json, "1"), (#"a:={"b":"c=d"}"#, "a", .json, #"{"b":"c=d"}"#),
            ("a@f", "a", .file, "f"), ("a@f;type=image/png", "a", .file, "f;type=image/png"),
            ("Name:@f", "Name", .header, "f"), ("a==@f", "a", .query, "f"),
            ("a=@f", "a", .text, "f"), ("a:=@f", "a", .json, "f"),
            ("X-Time:12:30", "X-Time", .header, "12:30"), ("a;b=c", "a;b", .text, "c"),
            (#"a\:b=c"#, "a:b", .text, "c"), (#"a\=\=b==c"#, "a==b", .query, "c"), (#"a\\=b"#, #"a\"#, .text, "b"),
            (#"a\b=c"#, #"a\b"#, .text, "c"), (#"\@a=b"#, "@a", .text, "b"),
            ("名=値", "名", .text, "値"), ("a=\u{301}", "a", .text, "\u{301}"),
        ] as [(String, String, RequestItem.Separator, String)]
    )
    func `RequestItem splits an argument at its first separator and prefers == to = at the same place`(
        text: String,
        name: String,
        separator: RequestItem.Separator,
        value: String
    ) throws {
        let item = try RequestItem(text)
        #expect(item.name == name)
        #expect(item.separator == separator)
        #expect(item.value == value)
        #expect(item.isFromFile == text.contains(/[:=]@f$/))
    }

    @Test(arguments: ["", "name", ":", "=", "==", "@", ";", "=a=b", "a", #"a\=b"#, "a;b", #"\"#])
    func `RequestItem throws badValue for an argument without a name or a separator`(text: String) {
        #expect(
            throws: UsageError.badValue("ITEM", text, "Name:value, name==value, name=value, name:=json or name@file")
        ) { try RequestItem(text) }
    }
}
