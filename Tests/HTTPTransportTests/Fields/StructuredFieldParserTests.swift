@testable import HTTPTransport
import Foundation
import Testing

@Suite struct StructuredFieldParserTests {
    /// What is read is written in the one right form.
    @Test(arguments: [
        ("", ""), ("a", "a"), ("a=?1", "a"), ("a=?0", "a=?0"), ("a=1, b=2 ,\tc=3", "a=1, b=2, c=3"),
        ("a=1;x;y=?1;z=?0", "a=1;x;y;z=?0"), ("a=1;  x=2", "a=1;x=2"), ("a=-1", "a=-1"), ("a=0042", "a=42"),
        ("a=999999999999999", "a=999999999999999"), ("a=1.5", "a=1.5"), (#"a="b\"c\\d""#, #"a="b\"c\\d""#),
        ("a=b/c:d*", "a=b/c:d*"), ("a=*b", "a=*b"), ("*a-._1=1", "*a-._1=1"), ("a=:AAA=:", "a=:AAA=:"),
        ("a=::", "a=::"),
        ("a=(  1   \"b\"  )", "a=(1 \"b\")"), ("a=();b", "a=();b"), ("a=(1;x 2);y", "a=(1;x 2);y"),
        ("a=1, a=2, b=3, a=4", "a=4, b=3"), ("a;b=1;b=2", "a;b=2"), (" a=1 ", "a=1"),
    ])
    func `A structured dictionary field of HTTP is parsed and written back in canonical form`(
        text: String,
        written: String
    )
        throws
    {
        let members = try #require(StructuredFieldParser.dictionary(text))
        #expect(members.map { $0.member.text(key: $0.key) }.joined(separator: ", ") == written)
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), ("a,b ,\tc", "a, b, c"), ("a, a", "a, a"), ("1;x=2, \"b\"", "1;x=2, \"b\""),
        ("(a b);c, d", "(a b);c, d"), (" a ", "a"), ("*/*", "*/*"), ("?1;a", "?1;a"),
    ])
    func `A structured list field of HTTP is parsed and written back in canonical form`(text: String, written: String)
        throws
    {
        let members = try #require(StructuredFieldParser.list(text))
        #expect(members.map(\.text).joined(separator: ", ") == written)
    }

    @Test(arguments: [",", "a,", "a,,b", "a b", "a;", "=", "(a", "é", "\"a"])
    func `A malformed structured list field of HTTP is parsed as nil`(text: String) {
        #expect(StructuredFieldParser.list(text) == nil)
    }

    @Test func `A structured list field over 64 KiB or with over 1,024 members is parsed as nil`() {
        #expect(StructuredFieldParser.list(String(repeating: "a", count: 1 << 16)) != nil)
        #expect(StructuredFieldParser.list(String(repeating: "a", count: 1 << 16 + 1)) == nil)
        #expect(StructuredFieldParser.list(Array(repeating: "a", count: 1_024).joined(separator: ",")) != nil)
        #expect(StructuredFieldParser.list(Array(repeating: "a", count: 1_025).joined(separator: ",")) == nil)
    }

    @Test(arguments: [
        ",", "a,", "a,,b", "a b", "A=1", "1=a", "=1", "a=", "a= 1", "a =1", "a=1 ;b", "a=1;", "a=1;B", "a=\"", "a=\"\\",
        "a=\"\\n\"", "a=\"é\"", "a=\"\u{0}\"", "a=\"\n\"", "a=:", "a=:A:", "a=:A A=:", "a=:é:", "a=?", "a=?2", "a=-",
        "a=1000000000000000", "a=1.", "a=1.2345", "a=1234567890123.1", "a=(", "a=(1", "a=(1 2", "a=(1,2)", "a=(1\t2)",
        "a=(1(2))", "a=((1))", "a=\u{FF11}", "a=@1", "a=%\"b\"", "é", "\u{0}", "a\r\nb", "\ta", "a=1\u{85}",
    ])
    func `A malformed structured dictionary field of HTTP is parsed as nil`(text: String) {
        #expect(StructuredFieldParser.dictionary(text) == nil)
    }

    @Test func `A structured dictionary field over 64 KiB or with over 1,024 members is parsed as nil`() {
        #expect(StructuredFieldParser.dictionary(String(repeating: "a", count: 1 << 16)) != nil)
        #expect(StructuredFieldParser.dictionary(String(repeating: "a", count: 1 << 16 + 1)) == nil)
        #expect(StructuredFieldParser.dictionary("a=" + String(repeating: "(", count: 60_000)) == nil)
        #expect(StructuredFieldParser.dictionary((0..<1_024).map { "a\($0)" }.joined(separator: ",")) != nil)
        #expect(StructuredFieldParser.dictionary((0..<1_025).map { "a\($0)" }.joined(separator: ",")) == nil)
        #expect(StructuredFieldParser.dictionary("a" + (0..<1_025).map { ";a\($0)" }.joined()) == nil)
    }

    /// Any part of a good field, and any byte of it changed, is refused, or read in a way that can be written and read.
    @Test func `A damaged structured dictionary field parses as nil, or as a value that parses again the same`() {
        let bytes = Array(
            #"sig1=("@method" "x-a";bs "@query-param";name="a");created=1618884473;keyid="k", b=:AAA=:"#.utf8
        )
        func written(_ text: String) -> String? {
            StructuredFieldParser.dictionary(text)?.map { $0.member.text(key: $0.key) }.joined(separator: ", ")
        }
        var (read, refused) = (0, 0)
        func check(_ bytes: some Collection<UInt8>) {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let once = written(text) else { return refused += 1 }
            read += 1
            #expect(written(once) == once, "\(text.debugDescription)")
        }
        for index in bytes.indices {
            check(bytes[..<index])
            // Those with a meaning, and some without.
            for byte in Array("\"\\();:,=?*%@-._ \t\r\n\0aA019~".utf8) + [0x7F, 0x80, 0xFF] {
                var other = bytes
                other[index] = byte
                check(other)
            }
        }
        #expect(read > 100 && refused > 100)
    }
}
