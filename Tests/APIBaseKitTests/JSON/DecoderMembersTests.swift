import APIBaseKit
import TestTiers
import Testing

/// What generated code asks a decoder, with both decoders.
@Suite(.limited) struct DecoderMembersTests {
    private struct Seen: Decodable, Equatable {
        var kind: String?
        var number: Int?
        var others: [String: Int]?
        var text: String?
        var point: Point?
        var marked: Point?

        init(from decoder: any Decoder) throws {
            kind = decoder.member("kind", as: String.self)
            number = decoder.member("number", as: Int.self)
            others = try? decoder.members(except: ["kind", "number"])
            text = decoder.fitting(String.self)
            point = decoder.fitting(Point.self)
            marked = decoder.fitting(Point.self, withAnyOf: ["y"])
        }
    }

    private struct Point: Decodable, Equatable {
        var x: Int?
    }

    private func seen(_ text: String, strict: Bool) throws -> Seen {
        let api = JSONAPI()
        api.usesStrictJSON = strict
        return try api.decode([Seen].self, from: Data("[\(text)]".utf8))[0]
    }

    @Test(arguments: [true, false])
    func `Decoder.member(_:as:) gives nil for the wrong type, and members(except:) the other members`(strict: Bool)
        throws
    {
        let value = try seen(#"{"kind": "a", "number": "no", "x": 1, "y": 2}"#, strict: strict)
        #expect(value.kind == "a")
        #expect(value.number == nil)
        #expect(value.others == ["x": 1, "y": 2])
        #expect(value.text == nil)
        #expect(value.point?.x == 1)
        #expect(value.marked?.x == 1)
    }

    @Test(arguments: [true, false])
    func `Decoder.fitting(_:withAnyOf:) gives nil when the object has none of the keys`(strict: Bool) throws {
        let value = try seen(#"{"z": "text"}"#, strict: strict)
        #expect(value.others == nil)
        #expect(value.point != nil)
        #expect(value.marked == nil)
    }

    @Test(arguments: [true, false])
    func `Decoder.fitting(_:) decodes a JSON string as String and gives nil for an object type`(strict: Bool) throws {
        let value = try seen(#""kind""#, strict: strict)
        #expect(value.text == "kind")
        #expect(value.kind == nil)
        #expect(value.point == nil)
    }

    // MARK: Choices in one another

    /// A choice as generated code has it, of types whose first member is the same choice.
    private indirect enum Filter: Decodable, Equatable {
        case both(Both), all(All), one(One), list([Filter]), names([String: Filter]), other(JSONValue)

        struct Both: Decodable, Equatable {
            var a: Filter
            var b: Int
        }

        struct All: Decodable, Equatable {
            var a: Filter
            var b: Bool
        }

        struct One: Decodable, Equatable {
            var a: Filter
        }

        init(from decoder: any Decoder) throws {
            if let value = decoder.fitting(Both.self, withAllOf: ["b"]) {
                self = .both(value)
            } else if let value = decoder.fitting(All.self, withAllOf: ["b"]) {
                self = .all(value)
            } else if let value = decoder.fitting(One.self) {
                self = .one(value)
            } else if let value = decoder.fitting([Filter].self) {
                self = .list(value)
            } else if let value = decoder.fitting([String: Filter].self) {
                self = .names(value)
            } else {
                self = .other(try JSONValue(from: decoder))
            }
        }

        /// The numbers of values of each kind on the way to the innermost.
        var counts: [String: Int] {
            var (counts, next): ([String: Int], Filter?) = ([:], self)
            while let value = next {
                var kind = "other"
                switch value {
                case .both(let value): (kind, next) = ("both", value.a)
                case .all(let value): (kind, next) = ("all", value.a)
                case .one(let value): (kind, next) = ("one", value.a)
                case .list(let value): (kind, next) = ("list", value.first)
                case .names(let value): (kind, next) = ("names", value["c"])
                case .other: next = nil
                }
                counts[kind, default: 0] += 1
            }
            return counts
        }
    }

    /// The opening of a level, its end, and the case that it is.
    @Test(
        arguments: [
            (#"{"a":"#, "}", "one"), (#"{"a":"#, #","b":"no"}"#, "one"), (#"{"a":"#, #","b":true}"#, "all"),
            (#"{"b":false,"a":"#, "}", "all"), (#"{"a":"#, #","b":1}"#, "both"), ("[", "]", "list"),
            (#"{"c":"#, "}", "names"), (#"{"c":"#, #","b":"no"}"#, "names"),
        ],
        [true, false]
    )
    func `A value of 200 choices in one another is decoded once for each type, and not twice as often for each level`(
        level: (open: String, close: String, kind: String),
        strict: Bool
    ) throws {
        let depth = 200
        let text = String(repeating: level.open, count: depth) + #""x""# + String(repeating: level.close, count: depth)
        let api = JSONAPI()
        api.usesStrictJSON = strict
        let value = try api.decode(Filter.self, from: Data(text.utf8))
        #expect(value.counts == [level.kind: depth, "other": 1])
    }

    /// Two choices that are each the other one, as older generated code has them.
    private indirect enum Loop: Decodable {
        case back(Back), other(JSONValue)

        indirect enum Back: Decodable {
            case loop(Loop), other(JSONValue)

            init(from decoder: any Decoder) throws {
                if let value = decoder.fitting(Loop.self) {
                    self = .loop(value)
                } else {
                    self = .other(try JSONValue(from: decoder))
                }
            }
        }

        init(from decoder: any Decoder) throws {
            if let value = decoder.fitting(Back.self) {
                self = .back(value)
            } else {
                self = .other(try JSONValue(from: decoder))
            }
        }
    }

    @Test(arguments: [true, false])
    func `Choices that are one another in the same place are decoded without a stack overflow`(strict: Bool) throws {
        let api = JSONAPI()
        api.usesStrictJSON = strict
        let values = try api.decode([Loop].self, from: Data(#"[{"n": 1}, 7, [null]]"#.utf8))
        #expect(values.count == 3)
    }

    /// JSON in a text, which is decoded with a document of its own while the choice around it is tried.
    private struct Envelope: Decodable {
        var inner: [Filter]

        init(from decoder: any Decoder) throws {
            let texts = try decoder.singleValueContainer().decode([String].self)
            inner = try texts.map { try JSONAPI().decode(Filter.self, from: Data($0.utf8)) }
        }
    }

    private struct Letter: Decodable {
        var envelope: Envelope?

        init(from decoder: any Decoder) throws { envelope = decoder.fitting(Envelope.self) }
    }

    @Test func `Documents that are decoded within a choice are told apart, also if the last one is gone`() throws {
        let texts = (0..<50).map { #"{"a":\#($0)}"# }
        let letter = try JSONAPI().decode(Letter.self, from: try JSONEncoder().encode(texts))
        #expect(letter.envelope?.inner == (0..<50).map { .one(.init(a: .other(.integer($0)))) })
    }

    /// JSON in a text that holds the same choice, at the same place of another document.
    private indirect enum Message: Decodable, Equatable {
        case wrapped(Wrapped), number(Int), other

        struct Wrapped: Decodable, Equatable {
            var body: Message

            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode([String: String].self)["body"] ?? ""
                body = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
            }
        }

        init(from decoder: any Decoder) throws {
            if let value = decoder.fitting(Wrapped.self) {
                self = .wrapped(value)
            } else if let value = decoder.fitting([String: Int].self)?["body"] {
                self = .number(value)
            } else {
                self = .other
            }
        }

        /// How often it is wrapped around a number; `nil` without one.
        var depth: Int? {
            switch self {
            case .wrapped(let value): value.body.depth.map { $0 + 1 }
            case .number: 0
            case .other: nil
            }
        }
    }

    private struct Box: Decodable {
        var message: Message?

        init(from decoder: any Decoder) throws { message = decoder.fitting([Message].self)?.first }
    }

    @Test(arguments: [0, 1, 2, 5], [true, false])
    func `A document in a text of another one is told apart from it, where both have the same choice at one place`(
        depth: Int,
        strict: Bool
    ) throws {
        var text = #"{"body":7}"#
        for _ in 0..<depth { text = String(decoding: try JSONEncoder().encode(["body": text]), as: UTF8.self) }
        let api = JSONAPI()
        api.usesStrictJSON = strict
        #expect(try api.decode(Message.self, from: Data(text.utf8)).depth == depth)
        #expect(try api.decode(Box.self, from: Data("[\(text)]".utf8)).message?.depth == depth)
    }

    // MARK: Names that Swift takes for one another

    private struct Named: Decodable {
        enum CodingKeys: String, CodingKey { case number = "\u{E9}" }
        var number: Int?
        var others: [String: Int]

        init(from decoder: any Decoder) throws {
            number = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .number)
            others = try decoder.members(except: ["\u{E9}", "K"])
        }
    }

    /// An object, and whether the decoder that sees only one of two such names refuses it too.
    @Test(
        arguments: [
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", false), ("{\"e\u{301}\":2,\"\u{E9}\":1}", false),
            ("{\"e\u{301}\":7}", true), ("{\"\u{212A}\":7}", true), ("{\"K\":7,\"\u{212A}\":7}", false),
            ("{\"a\":1,\"\\u0065\\u0301\":7}", true), ("{\"\u{AC00}\":1,\"\u{1100}\u{1161}\":2}", false),
        ],
        [true, false]
    )
    func `Decoder.members(except:) throws IndistinctName for a name that Swift takes for another one`(
        sample: (object: String, isSeenByBoth: Bool),
        strict: Bool
    ) throws {
        let api = JSONAPI()
        api.usesStrictJSON = strict
        func decode() throws { _ = try api.decode(Named.self, from: Data(sample.object.utf8)) }
        guard strict || sample.isSeenByBoth else { return }
        let error = #expect(throws: DecodingError.self) { try decode() }
        guard case .dataCorrupted(let context)? = error else { throw CancellationError() }
        #expect(context.underlyingError is JSONValue.IndistinctName)
    }

    @Test(arguments: [true, false])
    func `Decoder.members(except:) gives names of several code points as they stand`(strict: Bool) throws {
        let api = JSONAPI()
        api.usesStrictJSON = strict
        let named = try api.decode(Named.self, from: Data("{\"\u{E9}\":1,\"o\u{308}\":2,\"k\":3}".utf8))
        #expect(named.number == 1)
        #expect(named.others.map { [Array($0.key.utf8)] }.sorted { $0.count < $1.count }.count == 2)
        #expect(named.others.keys.contains { $0.utf8.elementsEqual("o\u{308}".utf8) })
    }
}
