import Foundation
import OpenAPIDocument
import TestTiers
import Testing

@testable import APIBaseGenerator

/// Schemas that lead back to themselves, and values that are nested deep in them.
@Suite(.limited) struct RecursionTests {
    fileprivate static func ref(_ name: String) -> String { ##"{"$ref": "#/components/schemas/\##(name)"}"## }

    private static let object = #"{"title": "Leaf", "required": ["n"], "properties": {"n": {"type": "integer"}}}"#

    /// The paths of one operation whose reply is a `Thing`, with an example.
    private static func paths(example: String) -> String {
        let content = #"{"application/json": {"schema": \#(ref("Thing")), "example": \#(example)}}"#
        return
            #"{"/thing": {"get": {"operationId": "thing", "responses": {"200": {"content": \#(content)}}}}}"#
    }

    private static func model(_ schemas: String, example: String = "[1]") throws -> (Generator, APIModel) {
        let text = """
            {"openapi": "3.1.0", "info": {}, "paths": \(paths(example: example)), "components": {"schemas": \(schemas)}}
            """
        let document = try Document(Data(text.utf8), name: "a.json")
        let generator = try Generator(document, try Settings(name: "Shop", document: "a.json"))
        return (generator, try generator.model())
    }

    /// Whether the value of a union can be that of a union in the same place, and so on without an end.
    private static func leadsBack(_ start: Declaration) -> Bool {
        var (found, next) = (Set<Declaration>(), [start])
        while let declaration = next.popLast() {
            let inner = (declaration.union?.cases ?? []).compactMap(\.type.contained)
            if inner.contains(start) { return true }
            next += inner.filter { found.insert($0).inserted }
        }
        return false
    }

    @Test(arguments: [
        #"{"Thing": {"oneOf": [\#(ref("Thing")), \#(object)]}}"#,
        #"{"Thing": {"anyOf": [\#(ref("Thing")), \#(object)]}}"#,
        #"{"Thing": {"oneOf": [\#(ref("Other")), \#(object)]}, "Other": {"oneOf": [\#(ref("Thing")), {"type": "string"}]}}"#,
        #"{"Thing": {"anyOf": [\#(ref("Other")), \#(object)]}, "Other": {"oneOf": [{"type": "string"}, \#(ref("Thing"))]}}"#,
        #"{"Thing": {"oneOf": [\#(ref("B")), \#(object)]}, "B": {"oneOf": [\#(ref("C")), {"type": "string"}]}, "C": {"oneOf": [\#(ref("Thing")), {"type": "boolean"}]}}"#,
        #"{"Thing": {"oneOf": [{"allOf": [\#(ref("Thing"))]}, \#(object)]}}"#,
        #"{"Thing": {"oneOf": [{"allOf": [\#(ref("Thing")), {"type": "string"}]}, {"type": "string"}]}}"#,
        #"{"Thing": {"allOf": [\#(ref("Thing"))]}}"#,
        #"{"Thing": {"allOf": [\#(ref("Other"))]}, "Other": {"oneOf": [\#(ref("Thing")), \#(object)]}}"#,
        #"{"Thing": {"oneOf": [{"oneOf": [\#(ref("Thing")), {"type": "boolean"}]}, \#(object)]}}"#,
        #"{"Thing": {"oneOf": [\#(ref("Thing")), \#(object)], "discriminator": {"propertyName": "kind", "mapping": {"t": "Thing"}}}}"#,
        #"{"Thing": {"oneOf": [\#(ref("Other")), \#(object)], "discriminator": {"propertyName": "kind"}}, "Other": {"oneOf": [\#(ref("Thing")), \#(object)], "discriminator": {"propertyName": "kind"}}}"#,
        #"{"Thing": {"oneOf": [{"oneOf": [\#(ref("Thing")), {"type": "null"}]}, \#(object)]}}"#,
        #"{"Thing": {"oneOf": [\#(ref("Thing")), {"type": "null"}]}}"#,
        #"{"Thing": {"type": "object", "additionalProperties": {"allOf": [\#(ref("Thing"))]}}}"#,
        #"{"Thing": {"type": "object", "additionalProperties": {"allOf": [\#(ref("Thing")), {"type": "object"}]}}}"#,
        #"{"Thing": {"type": "object", "additionalProperties": {"allOf": [\#(ref("Other")), {"oneOf": [\#(ref("Thing"))]}]}}, "Other": {"type": "array", "items": {"allOf": [\#(ref("Thing")), \#(ref("Other"))]}}}"#,
    ])
    func `A choice that is itself again in the same place of the JSON is left out, so that decoding it ends`(
        schemas: String
    ) throws {
        let (generator, model) = try Self.model(schemas)
        for declaration in model.declarations.flatMap(\.withNested) { #expect(!Self.leadsBack(declaration)) }
        _ = try generator.files()
    }

    @Test func `A choice that is itself in an array or a property stays, since its value is another one there`() throws
    {
        let (generator, model) = try Self.model(
            #"{"Thing": {"oneOf": [{"type": "array", "items": \#(Self.ref("Thing"))}, {"required": ["not"], "properties": {"not": \#(Self.ref("Thing"))}}]}}"#
        )
        #expect(model.declarations.first { $0.name == "Thing" }?.union?.cases.count == 2)
        #expect(generator.warnings.isEmpty)
    }

    /// Each level of the value fits the first schema but for its end, so it is compared with the second one too.
    @Test(arguments: [
        #"[{"required": ["a"], "properties": {"a": \#(ref("Thing"))}}, {"required": ["a", "b"], "properties": {"a": \#(ref("Thing")), "b": {"type": "integer"}}}]"#,
        #"[{"required": ["a", "b"], "properties": {"a": \#(ref("Thing")), "b": {"type": "string"}}}, {"required": ["a", "b"], "properties": {"a": \#(ref("Thing")), "b": {"type": "boolean"}}}]"#,
        #"[{"type": "array", "items": \#(ref("Thing"))}, {"type": "array", "items": {"oneOf": [\#(ref("Thing")), {"type": "boolean"}]}}, {"properties": {"a": \#(ref("Thing"))}}, {"additionalProperties": \#(ref("Thing"))}]"#,
    ])
    func `Comparing a value of 400 levels with choices in one another takes each level once for each type`(
        variants: String
    ) throws {
        let depth = 400
        for (open, close) in [(#"{"b": 1, "a": ["#, "]}"), (#"{"b": 1, "a": "#, "}")] {
            let value = String(repeating: open, count: depth) + #""bad""# + String(repeating: close, count: depth)
            _ = try Self.model(#"{"Thing": {"oneOf": \#(variants)}}"#, example: value).0.files()
        }
    }

    @Test(arguments: [1, 2, 3, 8])
    func `Members that are their own object and more are one type each, however many there are`(count: Int) throws {
        let members = (0..<count).map {
            #""p\#($0)": {"allOf": [\#(Self.ref("Thing")), {"properties": {"q\#($0)": {"type": "string"}}}]}"#
        }
        let (_, model) = try Self.model(#"{"Thing": {"properties": {\#(members.joined(separator: ","))}}}"#)
        #expect(model.declarations.flatMap(\.withNested).count == count + 1)
    }

    /// An object that has all members of `Thing`, and one more.
    private static func own(_ name: String) -> String {
        #"{"allOf": [\#(ref("Thing")), {"properties": {"\#(name)": {"type": "string"}}}]}"#
    }

    /// Members of `Thing`, and the types that they give.
    @Test(arguments: [
        (#""a": {"properties": {"b": \#(own("x")), "c": \#(own("y"))}}"#, ["ThingA", "ThingB", "ThingC"]),
        (
            #""a": {"properties": {"b": \#(own("x")), "c": \#(own("y")), "d": \#(own("z"))}}"#,
            ["ThingA", "ThingB", "ThingC", "ThingD"]
        ),
        (
            #""a": {"properties": {"n": {"properties": {"b": \#(own("x")), "c": \#(own("y"))}}}}"#,
            ["ThingA", "ThingB", "ThingC", "ThingN"]
        ),
        (
            #""a": {"properties": {"b": \#(own("x")), "n": {"properties": {"b": \#(own("y"))}}}}"#,
            ["ThingA", "ThingB", "ThingBItem", "ThingN"]
        ),
        // Both are the same.
        (
            #""a": {"properties": {"b": \#(own("x"))}}, "b": {"properties": {"a": \#(own("x"))}}"#,
            ["ThingA", "ThingB", "ThingBItem"]
        ),
    ])
    func `A type that is a part of its own members is declared once`(
        members: String,
        types: [String]
    ) throws {
        let (generator, model) = try Self.model(#"{"Thing": {"properties": {\#(members)}}}"#)
        #expect(model.declarations.flatMap(\.withNested).map(\.qualifiedName).sorted() == ["Thing"] + types)
        #expect(generator.warnings.isEmpty)
    }

    /// A member with a schema that leads back to its own type and may be null, in OpenAPI 3.0 and 3.1.
    @Test(arguments: [
        (#"{"allOf": [\#(ref("Thing"))], "nullable": true}"#, "@Indirect @Patch public var me: Thing?"),
        (
            ##"{"$ref": "#/components/schemas/Thing", "nullable": true}"##,
            "@Indirect @Patch public var me: Thing?"
        ), (#"{"anyOf": [\#(ref("Thing")), {"type": "null"}]}"#, "@Indirect @Patch public var me: Thing?"),
        (#"{"oneOf": [{"type": "null"}, \#(ref("Thing"))]}"#, "@Indirect @Patch public var me: Thing?"),
        (#"{"oneOf": [\#(ref("Thing"))], "nullable": true}"#, "@Indirect @Patch public var me: Thing?"),
        (ref("Either"), "@Indirect @Patch public var me: Thing?"),
        (
            #"{"allOf": [\#(ref("Thing")), {"properties": {"n": {}}}], "nullable": true}"#,
            "@Patch public var me: ThingMe?"
        ),
        (
            #"{"type": ["object", "null"], "properties": {"inner": \#(ref("Thing"))}}"#, "@Patch public var me: Me?"
        ), (#"{"type": "array", "items": \#(ref("Thing")), "nullable": true}"#, "@Patch public var me: [Thing]?"),
        (#"{"type": ["array", "null"], "items": \#(ref("Either"))}"#, "@Patch public var me: [Thing?]?"),
        (
            #"{"type": "object", "additionalProperties": \#(ref("Thing")), "nullable": true}"#,
            "@Patch public var me: [String: Thing]?"
        ), (ref("Thing"), "@Indirect public var me: Thing?"),
    ])
    func `A nullable member of its own type is a Patch, and Indirect only where the value would contain itself`(
        schema: String,
        line: String
    ) throws {
        let either = #"{"oneOf": [\#(Self.ref("Thing")), {"type": "null"}]}"#
        let code = try Generated(
            schemas: #"{"Thing": {"type": "object", "properties": {"me": \#(schema)}}, "Either": \#(either)}"#
        )
        #expect(code.property("me") == line)
        #expect(code.warnings.isEmpty)
    }

    @Test func `A nullable object that has itself as a member is a Patch there, whichever of the two says nullable`()
        throws
    {
        let code = try Generated(
            schemas: #"{"Thing": {"type": ["object", "null"], "properties": {"me": \#(Self.ref("Thing"))}}}"#
        )
        #expect(code.property("me") == "@Indirect @Patch public var me: Thing?")
    }

    @Test func `A nullable member of its own type is decoded, encoded and initialized through both wrappers`() throws {
        let me = #"{"allOf": [\#(Self.ref("Thing"))], "nullable": true}"#
        let members = #"{"me": \#(me), "up": \#(me)}"#
        let code = try Generated(
            schemas: #"{"Thing": {"required": ["up"], "additionalProperties": true, "properties": \#(members)}}"#
        )
        .models
        for line in [
            "public init(me: Patch<Thing> = Patch(), up: Thing?, additionalProperties: [String: JSONValue] = [:]) {",
            "(self._me, self._up) = (Indirect(wrappedValue: me), Indirect(wrappedValue: Patch(up)))\n",
            "self._me = try container.decode(Indirect<Patch<Thing>>.self, forKey: .me)\n",
            "try container.encode(self._up, forKey: .up)\n",
        ] {
            #expect(code.contains(line))
        }
    }

    @Test func `A short document that gives tens of thousands of types is refused with a sentence`() throws {
        let names = (0..<9).map { "p\($0)" }
        // Each member has all others, in another order of parts.
        let members = names.map { name in
            let parts = names.map {
                #"{"properties": {"\#($0)": {"allOf": [\#(Self.ref("Thing")), {"required": ["\#(name)"]}]}}}"#
            }
            return #""\#(name)": {"allOf": [\#(Self.ref("Thing")), \#(parts.joined(separator: ","))]}"#
        }
        let refusal = #expect(throws: Refusal.self) {
            try Self.model(#"{"Thing": {"properties": {\#(members.joined(separator: ","))}}}"#)
        }
        #expect(refusal == .tooManyTypes("a.json"))
        #expect(refusal?.errorDescription?.contains("--only") == true)
    }

    /// `Tests/Stress/choices` draws hundreds of such documents.
    @Test(arguments: 0..<40)
    func `A document drawn by lot gives code or a refusal, and its example is compared`(seed: Int) throws {
        var lot = Lot(state: UInt64(seed))
        let schemas = Lot.names.map { #""\#($0)": \#(lot.schema(depth: 2))"# }.joined(separator: ",")
        let example = lot.reply(levels: load(200))
        do {
            let (generator, model) = try Self.model("{\(schemas)}", example: example)
            _ = try generator.files()
            for declaration in model.declarations.flatMap(\.withNested) { #expect(!Self.leadsBack(declaration)) }
        } catch Refusal.tooManyTypes {}
    }

    /// Draws schemas that are choices, parts and members of one another, and values that are nearly right in each of them.
    private struct Lot: RandomNumberGenerator {
        static let names = ["Thing", "B", "C"]
        private static let keys = ["a", "b", "c", "kind"]

        var state: UInt64

        /// SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            let first = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
            return second ^ (second >> 31)
        }

        private mutating func one(of texts: [String]) -> String { texts.randomElement(using: &self) ?? "" }

        private mutating func several(_ depth: Int) -> String {
            (0..<3).map { _ in inner(depth) }.joined(separator: ",")
        }

        private mutating func inner(_ depth: Int) -> String {
            depth == 0 || Bool.random(using: &self) ? RecursionTests.ref(one(of: Self.names)) : schema(depth: depth - 1)
        }

        mutating func schema(depth: Int) -> String {
            switch Int.random(in: 0..<8, using: &self) {
            case 0...2: return #"{"\#(one(of: ["oneOf", "anyOf"]))": [\#(several(depth))]}"#
            case 3:
                let mapping = ##"{"t": "#/components/schemas/Thing", "b": "#/components/schemas/B"}"##
                return
                    #"{"oneOf": [\#(several(depth))], "discriminator": {"propertyName": "kind", "mapping": \#(mapping)}}"#
            case 4, 5:
                let keys = Self.keys.shuffled(using: &self).prefix(2)
                let properties = keys.map { #""\#($0)": \#(inner(depth))"# }.joined(separator: ",")
                return #"{"required": ["\#(keys[0])"], "properties": {\#(properties)}}"#
            case 6: return #"{"allOf": [\#(several(depth))]}"#
            default: return #"{"type": "array", "items": \#(inner(depth))}"#
            }
        }

        mutating func reply(levels: Int) -> String {
            let openings = [#"{"a":"#, #"{"b":"no","a":"#, #"{"kind":"t","a":"#, #"{"a":1,"b":"#, #"{"c":"#]
            let chosen = (0..<levels).map { _ in one(of: openings) }
            return chosen.joined() + one(of: ["1", #""bad""#, "null", "[]"]) + String(repeating: "}", count: levels)
        }
    }
}
