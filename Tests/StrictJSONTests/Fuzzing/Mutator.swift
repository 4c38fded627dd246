import Basics

/// Documents made from good ones by changing them at random.
struct Mutator {
    private var random: RandomNumbers

    init(seed: UInt64) { random = RandomNumbers(seed: seed) }

    private static let numbers = [
        "0", "-0", "-0.0", "1", "-1", "1.0", "1.5", "127", "128", "255", "256", "-129", "65536", "2147483648",
        "4294967296",
        "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615", "18446744073709551616", "170141183460469231731687303715884105728", "1e2", "1E+2",
        "100e-2",
        "1e18", "1e19", "1e38", "1e39", "1e308", "1e309", "1e400", "1e-400", "5e-324", "1e-45", "0.1",
        "0.30000001192092896",
        "2.2250738585072011e-308", "123456789012345678901234567890", "-122.41941550000001", "3.4028236e38",
        "1e127", "1e128",
        "0.00000000000000000000000000000000000001", "0e0", "0E-9", "12345678901234567890.5", "1e-7", "16777217",
    ]
    private static let strings = [
        "\"\"", "\"a\"", "\"b\"", "\"id\"", "\"1\"", "\"\\u0041\"", "\"\\ud83d\\ude00\"", "\"\\u00e9\"", "\"é\"",
        "\"e\u{301}\"",
        "\"\u{212A}\"", "\"K\"", "\"\\n\\t\\\\\\\"\\/\"", "\"Infinity\"", "\"NaN\"", "\"2026-11-22T18:24:55Z\"",
        "\"2026-02-29T00:00:00Z\"", "\"2024-02-29T23:59:59Z\"", "\"2026-11-22T18:24:55+01:00\"",
        "\"1599-01-01T00:00:00Z\"",
        "\"AQID\"", "\"AQI=\"", "\"http://a/b?c#d\"", "\"\u{1F600}\"", "\"first_name\"", "\"super\"",
        "\"hearts\"", "\"x y\\u0000z\"",
        "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "\"a rather long string that does not fit into a word\"",
    ]
    private static let others = [
        "null", "true", "false", "{}", "[]", "[null]", "{\"a\":1}", "[1,2]", " 5 ", "{\"K\":1,\"\u{212A}\":2}",
    ]
    private static let wrong = [
        "00", "01", "-", "1.", ".5", "1e", "1e+", "+1", "--1", "0x1", "1e5.5", "NaN", "1_000", "\"\\ud83d\"",
        "\"\\udc00\"", "\"\\x\"",
        "nul", "tru", ",", ":", "[", "]", "{", "}", "\"", "\\", "\u{0}", "\"\u{1}\"", "\"a\":1,", ",}", ",]",
        "[1,]", "/**/", "-01", "1.5.5",
        "'a'", "\"\\u12\"", "1 2", "truefalse", "\"\\u{41}\"",
    ]

    /// One of the seeds with one to four changes.
    mutating func document(from seeds: [[UInt8]]) -> [UInt8] {
        var document = seeds[below(seeds.count)]
        for _ in 0...below(1 + below(4)) { change(&document, with: seeds) }
        return document
    }

    /// A number below that one.
    mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

    private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func change(_ document: inout [UInt8], with seeds: [[UInt8]]) {
        guard !document.isEmpty else { return }
        let place = below(document.count)
        switch below(32) {
        case 0: document[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: document[place] ^= 1 << below(8)
        case 2: document.removeSubrange(place..<min(document.count, place + 1 + below(8)))
        case 3: document.removeSubrange(place...)
        case 4:
            let end = min(document.count, place + 1 + below(24))
            document.insert(contentsOf: Array(document[place..<end]), at: below(document.count))
        case 5:
            let seed = seeds[below(seeds.count)]
            let from = below(seed.count)
            document.insert(contentsOf: seed[from..<min(seed.count, from + below(32))], at: place)
        case 6: document.insert(contentsOf: one(of: Self.wrong).utf8, at: place)
        case 7: replace(&document, with: { $0.one(of: Self.wrong) })
        case 8...9:
            let spans = Self.spans(of: document)
            guard let span = spans.last else { return }
            let blanks = one(of: [" ", "\n", "\r\n\t", "            "])
            document.insert(contentsOf: blanks.utf8, at: [span.lowerBound, span.upperBound][below(2)])
        case 10...12: exchange(&document)
        case 13...20: replace(&document, with: { $0.one(of: Self.numbers) })
        case 21...27: replace(&document, with: { $0.one(of: Self.strings) })
        default: replace(&document, with: { $0.one(of: Self.others) })
        }
    }

    /// Puts a text in the place of a number, word or string: mostly the document is still JSON.
    private mutating func replace(_ document: inout [UInt8], with text: (inout Mutator) -> String) {
        let spans = Self.spans(of: document)
        guard !spans.isEmpty else { return }
        let span = spans[below(spans.count)]
        let isKey = document[span.upperBound...].first == UInt8(ascii: ":")
        document.replaceSubrange(span, with: (isKey ? one(of: Self.strings) : text(&self)).utf8)
    }

    /// Puts one number, word or string in the place of another: so keys come to be there twice.
    private mutating func exchange(_ document: inout [UInt8]) {
        let spans = Self.spans(of: document)
        guard !spans.isEmpty else { return }
        let text = Array(document[spans[below(spans.count)]])
        document.replaceSubrange(spans[below(spans.count)], with: text)
    }

    /// Where the numbers, words and strings are.
    private static func spans(of document: [UInt8]) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        var at = 0
        while at < document.count {
            let start = at
            if document[at] == UInt8(ascii: "\"") {
                at += 1
                while at < document.count, document[at] != UInt8(ascii: "\"") {
                    at += document[at] == UInt8(ascii: "\\") ? 2 : 1
                }
                at = min(at + 1, document.count)
            } else {
                while at < document.count, !",:[]{} \n\r\t\"".utf8.contains(document[at]) { at += 1 }
            }
            if at > start { spans.append(start..<at) } else { at += 1 }
        }
        return spans
    }
}
