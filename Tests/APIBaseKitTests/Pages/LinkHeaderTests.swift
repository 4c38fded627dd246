import APIBaseKit
import Foundation
import Testing

@testable import APIBaseStreams

/// `Link` as RFC 8288 has it, section 3 and appendix B.2.
@Suite struct LinkHeaderTests {
    private func next(_ header: String, from url: String = "https://api.example/v1/items?page=1") throws -> String? {
        let url = try #require(URL(string: url))
        return LinkHeader(header).target(of: "next", from: url)?.absoluteString
    }

    private static let found = "https://api.example/n"

    @Test(arguments: [
        #"<https://api.example/n>; rel="next""#, "<https://api.example/n>; rel=next",
        "<https://api.example/n>;rel=next",
        "</n>;rel=next", " \t<https://api.example/n>\t ;\trel\t=\tnext\t",
        // Names and relation types without case.
        "</n>; REL=NEXT", #"</n>; Rel="NeXt""#,
        // Several relation types.
        #"</n>; rel="last next""#, #"</n>; rel="next  last""#, "</n>; rel=\"\tnext\t\"", #"</n>; rel=" next ""#,
        #"</n>; rel="https://example.org/rel,x;y next""#,
        // Other parameters, with and without values, quoted and not.
        #"</n>; title="a; b, <c>; rel=prev"; rel=next"#, #"</n>; title="\"; rel=prev; \\"; rel=next"#,
        "</n>; crossorigin; rel=next", "</n>; crossorigin=; rel=next", "</n>; rel=next; crossorigin",
        "</n>; title*=UTF-8'de'n%c3%a4chste; rel=next; hreflang=de; media=\"a,b\"; type=\"text/html\"",
        "</n>; rel=next; title=\"\"", "</n>;;rel=next;", "</n>; =x; rel=next",
        // A parameter that has no meaning for whom it is not.
        "</n>; rel*=UTF-8''prev; rel=next", "</n>; rev=prev; rel=next", #"</n>; xrel="prev"; rel="next""#,
        // Others before and after it.
        "</p>; rel=prev, </n>; rel=next, </x>; rel=next", "</p>; rel=prev,</n>;rel=next", ",, ,</n>; rel=next,",
        "</p?a,b;rel=next>; rel=prev, </n>; rel=next", #"</p>; rel=prev; title="a, </x>; rel=next", </n>; rel=next"#,
        "</p>, </n>; rel=next", #"</p>; rel="", </n>; rel=next"#, #"</p>; rel="nextone next-one", </n>; rel=next"#,
        // Only the first `rel` counts.
        "</p>; rel=prev; rel=next, </n>; rel=next", "</n>; rel=next; rel=prev", "</p>; rel; rel=next, </n>; rel=next",
        // An anchor makes it the link of something else.
        #"</p>; rel=next; anchor="/other", </n>; rel=next"#, "</p>; anchor=\"#part\"; rel=next, </n>; rel=next",
        "</p>; ANCHOR=x; rel=next, </n>; rel=next",
        // What is broken does not take the others with it.
        "junk, </n>; rel=next", "/p; rel=next, </n>; rel=next", "</p> junk; rel=next, </n>; rel=next",
        "</p; rel=next, </n>; rel=next", "<, </n>; rel=next", ">, </n>; rel=next",
        #"</p>; rel="next, </n>; rel=next"#, #"</p>; rel="next" junk, </n>; rel=next"#,
        #"</p>; title="a" b; rel="x, </y>; rel=next", </n>; rel=next"#, #"junk "x, </y>; rel=next", </n>; rel=next"#,
        #"</p> "\", </n>; rel=next"#, #"junk \", </n>; rel=next"#,
        // Nor does one that leads nowhere.
        "<mailto:a@b.example>; rel=next, </n>; rel=next", "<https://u:p@api.example/n>; rel=next, </n>; rel=next",
        "<https://api.example/a\\b>; rel=next, </n>; rel=next", "<//>; rel=next, </n>; rel=next",
    ])
    func `A Link header with rel=next gives the next page's URL, even among other or broken links`(header: String)
        throws
    {
        #expect(try next(header) == Self.found)
    }

    private func defect(_ header: String) throws -> String? {
        let url = try #require(URL(string: "https://api.example/v1/items?page=1"))
        return LinkHeader(header).defect(of: "Next", from: url)
    }

    @Test(arguments: [
        "", ",", "<", "<>", "</n>", "</n>; rel", "</n>; rel=", #"</n>; rel="""#, "</n>; rel=prev", "</n>; rel=nextone",
        "</n", "</n>; rev=next", "</n>; title=\"rel=next\"", "</n>; rel=\"ne\u{0}xt\"", "</next>; rel=prev",
        "</next", "/next; rel=prev", "</n>; rel=prev; title=next", "</p>; rel='prev'", "</n>; anchor=next",
        // The links of something else.
        "</n>; rel=next; anchor=\"/other\"", "</n>; rel=next; anchor=\"#part\"",
        "</n>; anchor=\"//x.example\"; rel=next",
    ])
    func `A Link header without rel=next gives neither a next page's URL nor a defect`(header: String) throws {
        #expect(try next(header) == nil)
        #expect(try defect(header) == nil)
    }

    @Test(arguments: [
        // Quotes.
        "</n>; rel='next'", "</n>; rel='last next'", "</n>; rel=“next”", "</n>; rel=‘next’", "</n>; rel=`next`",
        #"</n>; rel=\"next\""#, "</n>; rel=\"next", "</n>; rel=\"next; title=x", "</n>; rel=next\"", "</n>; rel=next\\",
        "</n>; rel=\"next, </p>; rel=\"prev\"", "</p>; rel=\"prev, </n>; rel=\"next",
        // Brackets.
        "/n; rel=next", "https://api.example/n; rel=\"next\"", "\"/n\"; rel=next", "</p>; rel=prev, /n; rel=next",
        "/p; rel=prev, /n; rel=next", "<  /n  >; rel=next", "<\t/n>; rel=next", "</n>>; rel=next",
        // Semicolons.
        "</n> rel=\"next\"", "</n>rel=next", "</n> title=x rel=next", "</n>, rel=\"next\"", "</n>, rel = next",
        "</n>; title=x, rel=next", "</p>; rel=prev, </n>, rel=next", "</p>; rel=prev </n>; rel=next",
        "</n> crossorigin; rel=next",
        // The page's own URL as its anchor.
        "</n>; rel=next; anchor=\"\"", "</n>; rel=next; anchor=\"https://api.example/v1/items?page=1\"",
        "</n>; rel=next; anchor=items", "</n>; anchor=\"https://API.example/v1/items\"; rel=next",
    ])
    func `A Link header that bends the grammar gives the next page's URL where it is certain what is meant`(
        header: String
    ) throws {
        #expect(try next(header) == Self.found)
    }

    @Test func `A Link header with an angle bracket in its target gives a URL in which it is escaped`() throws {
        #expect(try next("</a<b?c=d>; rel=next") == "https://api.example/a%3Cb?c=d")
    }

    @Test(arguments: [
        "<>; rel=next", "< >; rel=\"next\"", "<#top>; rel=next", "; rel=next", "rel=next",
        "</n>; rel=\"prev\"; rel=\"next\"",
        "</n>; rel*=next", "</n>; relation=next", "</n>; next", "</n; rel=next", "</n; rel=next>", "<</n,>>; rel=next",
        "</p>; rel=prev, </n; rel=next", "next=/n", "/n next", "{\"next\": \"/n\"}", "&lt;/n&gt;; rel=&quot;next&quot;",
    ])
    func `A Link header in which a next page is probably meant but unreadable has a defect, and no URL`(header: String)
        throws
    {
        #expect(try next(header) == nil)
        #expect(try defect(header) != nil)
    }

    /// It fails when it is fetched, where a list without it would seem complete.
    @Test(arguments: [
        "mailto:a@b.example", "https://u:p@api.example/n", "ftp://api.example/", "https://api.example:0/", "/%2e%2e/x",
    ])
    func `A Link header gives a next URL that cannot be fetched, such as mailto:, if it has no other`(target: String)
        throws
    {
        let url = try #require(try next("</p>; rel=prev, <\(target)>; rel=next, <news:x>; rel=next"))
        #expect(url.hasSuffix(target))
    }

    /// RFC 3986, section 5; that the fragment is left out is the kit's.
    @Test(arguments: [
        ("?page=2", "/v1/items?page=2"), ("items?page=2", "/v1/items?page=2"),
        ("./more", "/v1/more"), ("../v2/items", "/v2/items"), ("../../../x", "/x"), ("/x/../y", "/y"),
        ("?a=b,c;d#f", "/v1/items?a=b,c;d"), ("/a%2Fb?c=%20+", "/a%2Fb?c=%20+"), ("?q=ä b", "/v1/items?q=%C3%A4%20b"),
        ("//other.example/x", "//other.example/x"), ("http://api.example/x", "http://api.example/x"),
        ("https://API.example:443/x", "https://API.example:443/x"),
    ])
    func `A relative target of a Link header is resolved against the URL of the response`(
        target: String,
        expected: String
    ) throws {
        let expected =
            expected.contains("//")
            ? (expected.hasPrefix("//") ? "https:" + expected : expected) : "https://api.example" + expected
        #expect(try next("<\(target)>; rel=next") == expected)
    }

    @Test func `Relation types of a Link header are found without regard to case`() throws {
        let header = LinkHeader(#"</1>; rel="first prev", </3>; rel=next, </9>; rel="last https://Example.org/Rel""#)
        let url = try #require(URL(string: "http://api.example/2"))
        let paths = ["first", "prev", "Next", "LAST", "https://example.org/rel", "self"]
            .map { header.target(of: $0, from: url)?.path }
        #expect(paths == ["/1", "/1", "/3", "/9", "/9", nil])
    }

    @Test func `The Link header of the demo server gives the URL of its next page`() throws {
        let header =
            "<http://127.0.0.1:1/posts?_page=1&_limit=3>; rel=\"first\", "
            + "<http://127.0.0.1:1/posts?_page=2&_limit=3>; rel=\"next\""
        #expect(try next(header) == "http://127.0.0.1:1/posts?_page=2&_limit=3")
    }

    /// What a hostile server may send is read to its end.
    @Test(arguments: [
        #"\""#, #"""#, #",""#, #",\""#, #"<a>;x=","#, #"<a>;x="\","#, #"<a>;x=\","#, "<", "<,", "<a", "<a>", "<a>,",
        ";", "\\",
    ])
    func `A malformed Link header that repeats a piece 4,000 times gives no links`(piece: String) {
        let text = "<a> " + String(repeating: piece, count: 4_000)
        #expect(LinkHeader(text).links.isEmpty)
        #expect(LinkHeader(#"<a>;x=""# + String(repeating: piece, count: 4_000)).links.isEmpty)
        #expect(throws: Never.self) { try next(text) }
    }
}
