import APIBaseKit
import Testing

@testable import apibase

@Suite struct FormatTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_549, "1.5 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
        (12_345_678, "12.3 MB"), (Int64.max, "9.2 EB"),
    ])
    func `Format.bytes writes a byte count with a decimal unit such as kB and one decimal place`(
        count: Int64,
        text: String
    ) {
        #expect(Format.bytes(count) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"), (.seconds(60), "1:00"),
        (.seconds(3_599), "59:59"), (.seconds(3_661), "1:01:01"), (.seconds(360_000), "--:--"), (.seconds(-1), "0:00"),
    ])
    func `Format.seconds rounds a duration up to seconds and writes it like 0:59 or 1:01:01`(
        duration: Duration,
        text: String
    ) {
        #expect(Format.seconds(duration) == text)
    }

    @Test func `Format.seconds writes an unknown duration as dashes`() {
        #expect(Format.seconds(nil) == "--:--")
    }

    @Test(arguments: [
        (0, 1, "████████"), (0, 0.5, "████"), (0, 0.0625, "▌"), (0, 0.0001, "▏"), (0, 0, ""), (0.5, 1, "    ████"),
        (0.5, 0.75, "    ██"), (0.999, 1, "       █"), (1, 1, ""), (0.5, 0.25, ""), (-1, 2, "████████"),
        (0, .infinity, "████████"), (0, .nan, ""),
    ])
    func `Format.bar draws in eighths of a column, with at least one eighth for a bar that is not empty`(
        start: Double,
        end: Double,
        expected: String
    ) {
        #expect(Format.bar(from: start, to: end, width: 8) == expected)
    }

    @Test func `Format.bar draws no bar longer than the given width`() {
        for width in 0...50 {
            for step in 0...100 {
                let text = Format.bar(from: Double(step) / 200, to: Double(step) / 100, width: width)
                #expect(text.count <= width, "\(width) \(step)")
            }
        }
    }

    @Test(arguments: [
        ("plain ünï 漢\n\t", "plain ünï 漢\n\t"), ("\u{1B}[31m", "\\u001B[31m"),
        ("\u{9B}1m\u{7}\r", "\\u009B1m\\u0007\\u000D"),
        // Direction controls are escaped; a zero-width joiner stays.
        ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}", "a\\u202Eb\\u2066c\\u200Fd\\u061C"),
        ("\u{2028}\u{2029}\u{206F}", "\\u2028\\u2029\\u206F"), ("👩\u{200D}🔬 עברית", "👩\u{200D}🔬 עברית"),
    ])
    func `Text for the terminal has its control and text direction characters escaped`(text: String, expected: String) {
        #expect(text.forTerminal == expected)
    }

    @Test(arguments: [("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("", 0), ("한글", 4), ("…—", 2)])
    func `Text width counts East Asian characters as two columns and combining marks as none`(
        text: String,
        columns: Int
    ) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abcdefgh", 8, "abcdefgh"), ("abcdefgh", 7, "abc…fgh"), ("abcdefgh", 4, "ab…h"), ("abcdefgh", 1, "…"),
        ("漢字漢字", 7, "漢字…字"), ("漢字漢字", 4, "漢…"),
    ])
    func `Text wider than the given number of columns is shortened in the middle with an ellipsis`(
        text: String,
        width: Int,
        expected: String
    ) {
        let short = text.shortened(to: width)
        #expect(short.columns <= width)
        #expect(short == expected)
    }
}
