import APIBaseKit
import Testing

/// What generated code asks a decoder, with both decoders.
@Suite struct DecoderMembersTests {
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
}
