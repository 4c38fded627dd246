import Basics
import Foundation
import StrictJSON
import Testing

/// The behaviours that the public tests of Foundation's decoder name, each with both decoders.
@Suite struct FoundationParityTests {
    @Test
    func `StrictJSONDecoder decodes a top-level number, string or null to the same value as JSONDecoder`() throws {
        try expectSameValue(Int.self, "5", 5)
        try expectSameValue(String.self, #""x""#, "x")
        try expectSameValue(Bool?.self, "null")
        try expectSameValue(Double.self, " -1.5 ", -1.5)
        try expectSameValue(Date.self, "5")
        try expectSameValue(URL.self, #""http://a""#)
        try expectSameValue(Decimal.self, "1.1")
    }

    @Test
    func `StrictJSONDecoder decodes empty objects to structs and dictionaries, and empty arrays to arrays`() throws {
        struct Empty: Decodable, Equatable {}
        try expectSameValue(Empty.self, "{}")
        try expectSameValue([String: Int].self, "{}", [:])
        try expectSameValue([Int].self, "[]", [])
    }

    @Test func `StrictJSONDecoder decodes the smallest and largest value of each integer type exactly`() throws {
        try expectSameValue([Int].self, "[\(Int.min),\(Int.max)]", [.min, .max])
        try expectSameValue([UInt64].self, "[0,\(UInt64.max)]", [0, .max])
        try expectSameValue([Int8].self, "[-128,127]", [-128, 127])
        try expectSameValue([Int128].self, "[\(Int128.min),\(Int128.max)]", [.min, .max])
        try expectSameValue([UInt128].self, "[0,\(UInt128.max)]", [0, .max])
        try expectSameValue([UInt64].self, "[1e19,1.0,100e-2]")
    }

    @Test(arguments: ["128", "-129", "1.5", "1e3", "0.1", "99999999999999999999"])
    func `StrictJSONDecoder fails with dataCorrupted at the index of a number that does not fit into Int8`(
        number: String
    ) throws {
        let both = try Both([Int8].self, "[1,\(number)]")
        #expect(both.failure?.description == "dataCorrupted at Index 1")
        // Foundation does not say where.
        #expect(both.theirFailure?.description == "dataCorrupted at the top")
    }

    @Test func `StrictJSONDecoder decodes random numbers to the exact bits of Double(text)`() throws {
        var random = RandomNumbers(seed: 15)
        for _ in 0..<3000 {
            let double = Double(bitPattern: .random(in: 0...UInt64.max, using: &random))
            guard double.isFinite else { continue }
            for text in ["\(double)", "\(Float(double))", "\(Double(Int64(clamping: Int(double.exponent))) / 128)"]
            where !text.contains("n") {
                let value = try StrictJSONDecoder().decode(Double.self, from: Data(text.utf8))
                #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
            }
        }
    }

    @Test
    func `StrictJSONDecoder decodes 1 to 20 decimal places to the exact bits of Double(text) and Float(text)`() throws {
        var random = RandomNumbers(seed: 16)
        for _ in 0..<5000 {
            let whole = UInt64.random(in: 0...UInt64.max, using: &random) >> Int.random(in: 0..<64, using: &random)
            var text = String(whole)
            let places = Int.random(in: 1...20, using: &random)
            text = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
            text.insert(".", at: text.index(text.endIndex, offsetBy: -places))
            let value = try StrictJSONDecoder().decode(Double.self, from: Data(text.utf8))
            #expect(value.bitPattern == Double(text)?.bitPattern, "\(text)")
            let float = try StrictJSONDecoder().decode(Float.self, from: Data(text.utf8))
            #expect(float.bitPattern == Float(text)?.bitPattern, "\(text)")
        }
    }

    /// Halfway between two doubles, and next to it: the hard cases of rounding.
    @Test(arguments: [
        "9007199254740993", "9007199254740992.9999999999", "9007199254740993.0000000001", "0.1",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324", "1.7976931348623157e308", "8.5", "1.00000000000000011102230246251565", "5e-324",
        "0.500000000000000166533453693773481063544750213623046875", "-0.0", "-0", "0.30000000000000004", "1e22",
        "1e23",
        "9223372036854775808.5", "1844674407370955161.5", "1844674407370955161.6", "0.9999999999999999999",
    ])
    func `StrictJSONDecoder rounds numbers at or near the midpoint of two doubles like Double(text)`(text: String)
        throws
    {
        let both = try Both(Double.self, text)
        #expect(both.value?.bitPattern == Double(text)?.bitPattern)
        guard case .value(let theirs) = both.theirs else { return }
        #expect(both.value?.bitPattern == theirs.bitPattern)
    }

    @Test func `StrictJSONDecoder decodes a Decimal like JSONDecoder, and fails for a string or null`() throws {
        for text in ["0", "1.5", "-1e-20", "123456789012345678901234567890.12345678", "1e127", "0.1e-5", "-0"] {
            try expectSameValue(Decimal.self, text)
        }
        try expectSameFailure(Decimal.self, "\"1\"", "typeMismatch Decimal")
        try expectSameFailure([Decimal].self, "[null]", "valueNotFound Decimal", ["Index 0"])
    }

    @Test func `StrictJSONDecoder decodes escape sequences in strings and keys to their characters`() throws {
        try expectSameValue(
            String.self,
            #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00""#,
            "\"\\/\u{8}\u{C}\n\r\tAé€😀"
        )
        try expectSameValue(String.self, #""a\u0000b""#, "a\0b")
        try expectSameValue([String: Int].self, #"{"\u0061":1,"b\n":2}"#, ["a": 1, "b\n": 2])
    }

    @Test func `StrictJSONDecoder decodes the first of several members with the same key, like JSONDecoder`() throws {
        struct Model: Decodable, Equatable { var a: Int, b: Int? }
        try expectSameValue(Model.self, #"{"a":1,"b":2,"a":3}"#, Model(a: 1, b: 2))
        try expectSameValue(Model.self, #"{"b":2,"a":1,"b":3,"\u0061":4}"#, Model(a: 1, b: 2))
        try expectSameValue([String: Int].self, #"{"a":1,"a":2}"#, ["a": 1])
        let many = (0..<100).map { #""k\#($0 % 50)":\#($0)"# }.joined(separator: ",")
        try expectSameValue([String: Int].self, "{\(many)}")
        try expectSameValue(Backwards.self, "{\(many)}")
    }

    @Test func `StrictJSONDecoder treats keys that differ only in Unicode normalization as equal`() throws {
        struct Model: Decodable, Equatable {
            var value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{E9}" }
        }
        try expectSameValue(Model.self, "{\"e\u{301}\":1,\"\u{E9}\":2}")
        struct Kelvin: Decodable, Equatable {
            var value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{212A}" }
        }
        try expectSameValue(Kelvin.self, #"{"a":0,"K":1}"#)
        try expectSameValue([String: Int].self, "{\"\u{212A}\":1,\"K\":2}")
    }

    @Test
    func `StrictJSONDecoder fails for a missing or null required value and gives nil for an optional one`() throws {
        struct Model: Decodable, Equatable { var a: Int, b: Int? }
        try expectSameFailure(Model.self, "{}", "keyNotFound a")
        try expectSameFailure(Model.self, #"{"a":null}"#, "valueNotFound Int", ["a"])
        try expectSameFailure([Model].self, #"[{"a":1},{"b":1}]"#, "keyNotFound a", ["Index 1"])
        try expectSameFailure([Int].self, "[1,null]", "valueNotFound Int", ["Index 1"])
        try expectSameFailure(Bool.self, "null", "typeMismatch Bool")
        try expectSameValue(Model.self, #"{"a":1,"b":null}"#, Model(a: 1, b: nil))
    }

    @Test func `StrictJSONDecoder fails for a value of a wrong type with the error and path of JSONDecoder`() throws {
        try expectSameFailure([String: [Int]].self, #"{"a":[1,"x"]}"#, "typeMismatch Int", ["a", "Index 1"])
        try expectSameFailure(Person.self, "[]", "typeMismatch Dictionary<String, Any>")
        try expectSameFailure([Int].self, "{}", "typeMismatch Array<Any>")
        try expectSameFailure([Int].self, "null", "valueNotFound Array<Any>")
        try expectSameFailure(Date.self, "\"x\"", "typeMismatch Double")
        try expectSameFailure(URL.self, "5", "typeMismatch String")
        try expectSameFailure([URL].self, "[\"\"]", "dataCorrupted", ["Index 0"])
        try expectSameFailure([Data].self, "[\"*\"]", "dataCorrupted", ["Index 0"])
        try expectSameFailure([Suit].self, "[\"clubs\"]", "dataCorrupted", ["Index 0"])
    }

    @Test
    func `StrictJSONDecoder gives the same values and errors as JSONDecoder in nested and super decoders`() throws {
        try expectSameValue(Paths.self, #"{"inner_part":{"list":[1,{},[]],"x":5},"é":1}"#)
        try expectSameValue(Mixed.self, #"[1,null,"x",[true,false],{"a":1,"b":null},5,2.5]"#)
        try expectSameFailure(Mixed.self, "[1,null,\"x\"]", "valueNotFound UnkeyedDecodingContainer", ["Index 3"])
        try expectSameFailure(Paths.self, #"{"inner_part":{"list":[]}}"#, "valueNotFound Int", ["inner_part", "x"])
        try expectSameFailure(Derived.self, #"{"size":1}"#, "valueNotFound Dictionary<String, Any>", ["super"])
    }

    @Test func `StrictJSONDecoder fails with valueNotFound when an init decodes past the end of an array`() throws {
        struct Model: Decodable, Equatable {
            var log: [String] = []
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                log.append(
                    "\(container.isAtEnd) \(try container.decodeIfPresent(Int.self) ?? 0) \(container.currentIndex)"
                )
                log.append("\((try? container.decode(Int.self)) ?? 0) \((try? container.decodeNil()) ?? true)")
                _ = try container.decode(String.self)
            }
        }
        try expectSameFailure(Model.self, "[]", "valueNotFound String", ["Index 1"])
        try expectSameFailure(Model.self, "[1]", "valueNotFound String", ["Index 1"])
    }

    @Test func `StrictJSONDecoder lets an init retry an array element as another type after a failed decode`() throws {
        struct Model: Decodable, Equatable {
            var first: Int?, second: String
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                first = try? container.decode(Int.self)
                second = try container.decode(String.self)
            }
        }
        try expectSameValue(Model.self, "[\"x\"]")
    }

    @Test func `A decoder from StrictJSONDecoder and its containers still decode after decode() has returned`() throws {
        struct Late: Decodable {
            let decoder: any Decoder
            let container: KeyedDecodingContainer<Name>
            let list: any UnkeyedDecodingContainer
            init(from decoder: any Decoder) throws {
                self.decoder = decoder
                container = try decoder.container(keyedBy: Name.self)
                list = try container.nestedUnkeyedContainer(forKey: Name("list"))
            }
        }
        var data = Data(#"{"text":"a long text that is not kept inline","list":[1,{"a":"\u00e9"}],"n":1.5}"#.utf8)
        let late = try StrictJSONDecoder().decode(Late.self, from: data)
        data.resetBytes(in: 0..<data.count)
        #expect(try late.container.decode(String.self, forKey: Name("text")) == "a long text that is not kept inline")
        #expect(try Floaty(from: late.decoder).n == 1.5)
        var list = late.list
        #expect(try list.decode(Int.self) == 1)
        #expect(try list.decode([String: String].self) == ["a": "é"])
    }

    private struct Floaty: Decodable { var n: Double }

    /// Arrays in arrays. `Anything` would try out five types for each, which takes seconds.
    private struct Lists: Decodable {
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            if !list.isAtEnd { _ = try list.decode(Lists.self) }
        }
    }

    private struct Objects: Decodable {
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Name.self)
            if members.contains(Name("a")) { _ = try members.decode(Objects.self, forKey: Name("a")) }
        }
    }

    @Test func `StrictJSONDecoder decodes 512 nested arrays or objects and fails for 513, like JSONDecoder`() throws {
        for (depth, isRead) in [(512, true), (513, false), (100_000, false)] {
            let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let inArrays = try Both(Lists.self, arrays)
            #expect((inArrays.value != nil) == isRead)
            #expect((inArrays.theirFailure == nil) == isRead)
            let objects = String(repeating: #"{"a":"#, count: depth - 1) + "{" + String(repeating: "}", count: depth)
            let inObjects = try Both(Objects.self, objects)
            #expect((inObjects.value != nil) == isRead)
            #expect((inObjects.theirFailure == nil) == isRead)
        }
    }

    @Test func `StrictJSONDecoder decodes an object of 5,000 members whose keys are read forward or backward`() throws {
        let count = 5000
        let json = "{\((0..<count).map { "\"key \($0)\":\($0)" }.joined(separator: ","))}"
        try expectSameValue([String: Int].self, json)
        try expectSameValue(Backwards.self, json)
    }

    @Test func `StrictJSONDecoder passes its userInfo to the init of a decoded value`() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        try expectSameValue([Informed].self, #"["a"]"#) { $0.userInfo[key] = 5 }
    }

    @Test func `StrictJSONDecoder passes the given configuration to a DecodableWithConfiguration type`() throws {
        struct Scaled: DecodableWithConfiguration {
            var value: Double
            init(from decoder: any Decoder, configuration: Double) throws {
                value = try Double(from: decoder) * configuration
            }
        }
        #expect(try StrictJSONDecoder().decode(Scaled.self, from: Data("2".utf8), configuration: 3).value == 6)
    }
}
