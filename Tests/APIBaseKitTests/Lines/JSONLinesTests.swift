import APIBaseKit
import StrictJSON
import Testing

private struct Item: Decodable, Equatable {
    var id: Int
    var name: String?
}

@Suite struct JSONLinesTests {
    private func items(_ text: String, limit: Int = 1 << 20) -> [Outcome<Item, any Error>] {
        Data(text.utf8).cuts.map { outcome(of: $0.publisher.jsonLines(of: Item.self, limit: limit)) }
    }

    @Test(arguments: [
        ("", []),
        ("\n", []),
        (#"{"id":1}"#, [1]),
        ("{\"id\":1}\n{\"id\":2}\n", [1, 2]),
        // White space, and lines of nothing else.
        ("\n \t\r\n{\"id\":1}\r\n\r\n\n  {\"id\":2} \n\n", [1, 2]),
        // A lone CR is white space of JSON, and no end.
        ("{\"id\":\r1}\r\n{\"id\":2}\r", [1, 2]),
        ("{\"id\":1,\"name\":\"日\\n本\"}\n", [1]),
        // Byte order marks at the start of lines.
        ("\u{FEFF}{\"id\":1}\n\u{FEFF}{\"id\":2}\n", [1, 2]), ("\u{FEFF}\n{\"id\":1}", [1]),
    ])
    func `JSON Lines are decoded to the same values however the bytes are split into chunks`(text: String, ids: [Int]) {
        for outcome in items(text) {
            #expect(outcome.values.map(\.id) == ids)
            #expect(outcome.isFinished)
        }
    }

    @Test(arguments: [
        // An array in several lines, two values in one line, and other formats.
        "[\n{\"id\":2}\n]\n", "{\"id\":2},\n", "{\"id\":2} {\"id\":3}\n", "data: {\"id\":2}\n",
        "{\"id\":2}\r{\"id\":3}\r", "\u{1E}{\"id\":2}\n", "\0{\"id\":2}\n", "<html>busy</html>\n", "[DONE]\n",
    ])
    func `JSON Lines fail with undecodableLine at a line that is not one value, after the lines before it`(line: String)
    {
        for outcome in items("{\"id\":1}\n" + line) {
            guard case .undecodableLine(let line)? = outcome.failure as? RequestError else {
                Issue.record("\(outcome.values)")
                continue
            }
            #expect(outcome.values == [Item(id: 1)] && line.number == 2)
        }
    }

    @Test func `JSON Lines are decoded with the JSONDecoder that is given`() {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let lines = [Data("0\n12.5\n".utf8)].publisher.jsonLines(of: Date.self, decoder: decoder)
        #expect(outcome(of: lines).values.map(\.timeIntervalSince1970) == [0, 12.5])
        #expect(outcome(of: [Data("1\nnull\n".utf8)].publisher.jsonLines(of: Int?.self)).values == [1, nil])
    }

    @Test func `JSON Lines with a trailing comma fail with undecodableLine under a StrictJSONDecoder`() {
        let lines = [Data("[1]\n[1,]\n".utf8)].publisher.jsonLines(of: [Int].self, decoder: StrictJSONDecoder())
        #expect(outcome(of: lines).values == [[1]])
        guard case RequestError.undecodableLine(let line)? = outcome(of: lines).failure else {
            Issue.record("\(outcome(of: lines))")
            return
        }
        #expect(line.number == 2)
        #expect("\(line)".contains("at byte 3"))
    }

    @Test func `The error of a JSON line of the wrong type shows the line number but not the line's content`() throws {
        for outcome in items("{\"id\":1}\n\n{\"id\":\"canary\"}\n{\"id\":3}\n") {
            #expect(outcome.values == [Item(id: 1)])
            guard case RequestError.undecodableLine(let line)? = outcome.failure else {
                Issue.record("\(String(describing: outcome.failure))")
                continue
            }
            #expect(line.number == 3 && line.type == "Item" && line.place == "id")
            #expect(line.expected == "Int" && line.found == "a string")
            #expect(line.line == Data(#"{"id":"canary"}"#.utf8))
            guard case .typeMismatch = line.underlying else { throw line.underlying }
            let error = RequestError.undecodableLine(line)
            let sentence = "Line 3 of the stream is no Item: expected Int at id, found a string."
            #expect(error.localizedDescription == sentence)
            var dump = ""
            Swift.dump(error, to: &dump)
            #expect(!dump.contains("canary") && !"\(error)".contains("canary") && dump.contains("3"))
        }
    }

    @Test func `The line number in a JSON Lines error is counted anew for each subscriber`() {
        let lines = [Data("\nx\n".utf8)].publisher.jsonLines(of: Int.self)
        for _ in 0..<2 {
            guard case RequestError.undecodableLine(let line)? = outcome(of: lines).failure else {
                Issue.record("no line")
                continue
            }
            #expect(line.number == 2 && line.found == "text that is no JSON")
        }
    }

    @Test func `A JSON line longer than the limit in bytes fails with lineTooLong`() {
        for outcome in items("{\"id\":1}\n{\"id\":1234567}\n", limit: 8) {
            #expect(outcome.values == [Item(id: 1)])
            #expect(outcome.failure as? RequestError == .lineTooLong(limit: 8))
        }
    }

    @Test func `Blank JSON Lines do not use up the demand of the subscriber`() {
        let asked = Asked()
        let chunks = ["\n\n", "\n1\n", "2\n"].map { Data($0.utf8) }
        let taker = Taker(asked.publisher(of: chunks).jsonLines(of: Int.self))
        taker.take(1)
        #expect(taker.values == [1] && asked.chunks == 2)
        taker.take(1)
        #expect(taker.values == [1, 2] && taker.completion != nil)
    }
}
