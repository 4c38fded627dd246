import Testing

@testable import apibase

@Suite struct StyleTests {
    @Test func withoutColoursATextIsItself() {
        #expect(Style.plain.text("a", as: .bad) == "a")
        #expect(Style(hasColours: true).text("a", as: .bad) == "\u{1B}[31ma\u{1B}[0m")
        #expect(Style(hasColours: true).text("", as: .bad).isEmpty)
    }

    @Test(arguments: [
        ("plain ünï 漢\n\t", "plain ünï 漢\n\t"), ("\u{1B}[31m", "\\u001B[31m"),
        ("\u{9B}1m\u{7}\r", "\\u009B1m\\u0007\\u000D"),
        // What turns a text round; what joins the parts of a picture stays.
        ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}", "a\\u202Eb\\u2066c\\u200Fd\\u061C"),
        ("\u{2028}\u{2029}\u{206F}", "\\u2028\\u2029\\u206F"), ("👩\u{200D}🔬 עברית", "👩\u{200D}🔬 עברית"),
    ])
    func aTerminalObeysNothing(text: String, expected: String) {
        #expect(text.withoutControls == expected)
    }

    @Test(arguments: [("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("", 0), ("한글", 4), ("…—", 2)])
    func someCharactersAreTwoColumnsWide(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abcdefgh", 8, "abcdefgh"), ("abcdefgh", 7, "abc…fgh"), ("abcdefgh", 4, "ab…h"), ("abcdefgh", 1, "…"),
        ("漢字漢字", 7, "漢字…字"), ("漢字漢字", 4, "漢…"),
    ])
    func aLongTextLosesItsMiddle(text: String, width: Int, expected: String) {
        let short = text.shortened(to: width)
        #expect(short.columns <= width)
        #expect(short == expected)
    }
}
