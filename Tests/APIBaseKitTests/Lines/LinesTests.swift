import APIBaseKit
import Testing

@Suite struct LinesTests {
    @Test(arguments: [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("\r", [""]),
        ("\r\n", [""]),
        ("\n\n", ["", ""]),
        ("\r\r", ["", ""]),
        ("\r\n\r\n", ["", ""]),
        ("\n\r", ["", ""]),
        ("\r\r\n\n", ["", "", ""]),
        ("a\nb", ["a", "b"]),
        ("a\rb", ["a", "b"]),
        ("a\r\nb", ["a", "b"]),
        ("a\r\nb\n\rc\r\r\nd\n\ne\r\n", ["a", "b", "", "c", "", "d", "", "e"]),
        (" a \n\tb", [" a ", "\tb"]),
        // Only these two are ends.
        ("a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{0}f", ["a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{0}f"]),
        ("äöü\n日本語\r\n👩‍👩‍👧‍👦\re\u{301}", ["äöü", "日本語", "👩‍👩‍👧‍👦", "e\u{301}"]),
        // What follows an end may join with it to one character of Swift's, but is no part of it.
        ("a\n\u{301}b", ["a", "\u{301}b"]),
        // A byte order mark is text.
        ("\u{FEFF}a\n\u{FEFF}b", ["\u{FEFF}a", "\u{FEFF}b"]),
    ])
    func `The lines() operator gives the same lines however the bytes are split into chunks`(
        text: String,
        lines: [String]
    ) {
        for chunks in Data(text.utf8).cuts {
            let outcome = outcome(of: chunks.publisher.lines())
            #expect(outcome.values.map { Array($0.utf8) } == lines.map { Array($0.utf8) }, "\(chunks.map(Array.init))")
            #expect(outcome.isFinished)
        }
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62, 0x0A, 0x63], ["a\u{FFFD}b", "c"]),
            // A sequence that breaks off at the end of the line, of the bytes, and before a letter.
            ([0xE2, 0x82, 0x0A, 0xAC, 0x0A], ["\u{FFFD}", "\u{FFFD}"]),
            ([0x61, 0x0D, 0xF0, 0x9F, 0x98], ["a", "\u{FFFD}"]),
            ([0xE2, 0x82, 0x61], ["\u{FFFD}a"]),
            // Half a pair, and a slash that is too long.
            ([0xED, 0xA0, 0x80], ["\u{FFFD}\u{FFFD}\u{FFFD}"]), ([0xC0, 0xAF], ["\u{FFFD}\u{FFFD}"]),
        ] as [([UInt8], [String])]
    )
    func `The lines() operator replaces invalid UTF-8 in a line with replacement characters`(
        bytes: [UInt8],
        lines: [String]
    ) {
        for chunks in Data(bytes).cuts { #expect(outcome(of: chunks.publisher.lines()).values == lines) }
    }

    @Test func `The lines() operator reads only the bytes of a Data slice, not those around it`() {
        let data = Data("xxa\nb\nyy".utf8)
        #expect(outcome(of: Just(data[2..<6]).lines()).values == ["a", "b"])
    }

    @Test func `A line with more bytes than the limit fails with lineTooLong; one of exactly the limit passes`() {
        for chunks in Data("abc\nab\r\nabcd\na\n".utf8).cuts {
            let outcome = outcome(of: chunks.publisher.lines(limit: 3))
            #expect(outcome.values == ["abc", "ab"])
            #expect(outcome.failure as? RequestError == .lineTooLong(limit: 3))
        }
        for text in ["abc", "abc\n", "abc\r\n", "äa"] {
            for chunks in Data(text.utf8).cuts { #expect(outcome(of: chunks.publisher.lines(limit: 3)).isFinished) }
        }
        for chunks in Data("äb\nää\n".utf8).cuts {
            let outcome = outcome(of: chunks.publisher.lines(limit: 3))
            #expect(outcome.values == ["äb"] && outcome.failure != nil)
        }
    }

    @Test func `The lines() operator fails with lineTooLong as soon as an unfinished line exceeds its limit`() {
        let bytes = PassthroughSubject<Data, any Error>()
        let outcome = Outcome<String, any Error>()
        let line = outcome.subscribe(to: bytes.lines(limit: 5))
        defer { line.cancel() }
        bytes.send(Data("a\nabcde".utf8))
        #expect(outcome.values == ["a"] && outcome.completion == nil)
        bytes.send(Data("f".utf8))
        #expect(outcome.failure as? RequestError == .lineTooLong(limit: 5))
        #expect(outcome.failure?.localizedDescription == "A line of the stream has more than 5 bytes.")
    }

    @Test func `The lines() operator accepts lines of up to one mebibyte by default`() {
        let line = Data(repeating: UInt8(ascii: "a"), count: 1 << 20)
        #expect(outcome(of: [line].publisher.lines()).values.map(\.utf8.count) == [1 << 20])
        let longer = outcome(of: [line, Data("a".utf8)].publisher.lines())
        #expect(longer.failure as? RequestError == .lineTooLong(limit: 1 << 20))
    }

    @Test func `The lines() operator delivers a line as soon as its line break arrives`() {
        let bytes = PassthroughSubject<Data, any Error>()
        let outcome = Outcome<String, any Error>()
        let line = outcome.subscribe(to: bytes.lines())
        defer { line.cancel() }
        bytes.send(Data("a\r".utf8))
        #expect(outcome.values == ["a"])
        bytes.send(Data("\n".utf8))
        bytes.send(Data("\nb".utf8))
        #expect(outcome.values == ["a", ""])
        bytes.send(completion: .failure(RequestError.noValue))
        #expect(outcome.values == ["a", ""])
        #expect(outcome.failure as? RequestError == .noValue)
    }

    @Test func `Each subscriber of one lines() publisher gets lines only of the bytes sent after it subscribed`() {
        let bytes = PassthroughSubject<Data, any Error>()
        let lines = bytes.lines()
        let (first, second) = (Outcome<String, any Error>(), Outcome<String, any Error>())
        let one = first.subscribe(to: lines)
        bytes.send(Data("a".utf8))
        let two = second.subscribe(to: lines)
        bytes.send(Data("b\n".utf8))
        #expect(first.values == ["ab"] && second.values == ["b"])
        one.cancel()
        two.cancel()
    }
}

// MARK: Demand

extension LinesTests {
    @Test func `The lines() operator requests chunks from its source only as the subscriber requests lines`() {
        let asked = Asked()
        let chunks = ["a\nb\n", "c", "d", "\n", "e\nf"].map { Data($0.utf8) }
        let taker = Taker(asked.publisher(of: chunks).lines())
        #expect(asked.chunks == 0)
        taker.take(1)
        #expect(asked.chunks == 1 && taker.values == ["a"])
        taker.take(1)
        #expect(asked.chunks == 1 && taker.values == ["a", "b"])
        taker.take(1)
        // As far as a line ends.
        #expect(asked.chunks == 4 && taker.values == ["a", "b", "cd"])
        taker.take(1)
        #expect(taker.values == ["a", "b", "cd", "e"] && taker.completion == nil)
        taker.take(1)
        #expect(taker.values == ["a", "b", "cd", "e", "f"] && taker.completion != nil)
        #expect(!asked.wasCancelled)
    }

    @Test func `Canceling a lines() subscription cancels its source and delivers no more lines`() {
        let asked = Asked()
        let chunks = repeatElement(Data("a\nb\nc\n".utf8), count: 1_000)
        let taker = Taker(asked.publisher(of: chunks).lines())
        taker.take(2)
        taker.cancel()
        taker.take(2)
        #expect(taker.values == ["a", "b"] && taker.completion == nil)
        #expect(asked.chunks == 1 && asked.wasCancelled)

        let first = outcome(of: Asked().publisher(of: chunks).lines().prefix(1))
        #expect(first.values == ["a"] && first.isFinished)
    }

    @Test func `The lines() operator cancels its source when a line exceeds the limit`() {
        let asked = Asked()
        let chunks = repeatElement(Data("aaaa".utf8), count: 1_000)
        #expect(outcome(of: asked.publisher(of: chunks).lines(limit: 8)).failure != nil)
        #expect(asked.chunks == 3 && asked.wasCancelled)
    }
}

// MARK: Many

extension LinesTests {
    @Test func `The lines() operator delivers 50,000 lines of one chunk without overflowing the stack`() {
        let count = 50_000
        let chunk = Data(repeatElement("a\n".utf8, count: count).joined())
        // One by one, each asked for from within the one before.
        var taken = 0
        let greedy = AnySubscriber<String, any Error> {
            $0.request(.max(1))
        } receiveValue: { _ in
            taken += 1
            return .max(1)
        }
        Just(chunk).lines().subscribe(greedy)
        #expect(taken == count)
    }

    @Test func `The lines() operator joins a line that arrives in 30,000 chunks of one byte`() {
        let count = 30_000
        let chunks = repeatElement(Data("a".utf8), count: count)
        #expect(outcome(of: chunks.publisher.lines()).values.map(\.utf8.count) == [count])
    }
}
