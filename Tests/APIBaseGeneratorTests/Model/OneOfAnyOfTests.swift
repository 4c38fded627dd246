import Foundation
import Testing

@testable import APIBaseGenerator

/// `oneOf` and `anyOf`.
@Suite struct OneOfAnyOfTests {
    private static let pets = ##"""
        "Cat": {"required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
        "Dog": {"required": ["kind"], "properties": {"kind": {"type": "string"}, "bark": {"type": "boolean"}}}
        """##

    private func models(_ thing: String) throws -> String {
        try Generated(schemas: #"{"Thing": \#(thing), \#(Self.pets)}"#).models
    }

    private let both = ##"[{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]"##

    @Test func `The enum generated for a oneOf selects its case by the values in the discriminator's mapping`() throws {
        let code = try models(
            ##"{"oneOf": \##(both), "discriminator": {"propertyName": "kind", "mapping": {"c": "#/components/schemas/Cat", "d": "Dog"}}}"##
        )
        #expect(code.contains(#"switch decoder.member("kind", as: String.self) {"#))
        #expect(code.contains(#"case "c": self = .cat(try Cat(from: decoder))"#))
        #expect(code.contains(#"case "d": self = .dog(try Dog(from: decoder))"#))
        #expect(code.contains("default: self = .other(try JSONValue(from: decoder))"))
    }

    @Test
    func `The enum generated for a oneOf selects its case by schema name if its discriminator has no mapping`() throws {
        let code = try models(#"{"oneOf": \#(both), "discriminator": {"propertyName": "kind"}}"#)
        #expect(code.contains(#"case "Cat": self = .cat(try Cat(from: decoder))"#))
    }

    /// Values of other types than one: no text of them is code.
    @Test(
        arguments: [
            #"["7: fatalError()\n case 8"]"#, #"["a"]"#, "[true]", "[1.5]", "[null, \"a\"]", "[9223372036854775808]",
        ]
    )
    func `A discriminator whose values are not all of one type gives a warning and no switch over them`(values: String)
        throws
    {
        let code = try Generated(
            schemas: ##"""
                {"Thing": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}],
                "discriminator": {"propertyName": "k"}},
                "A": {"properties": {"k": {"enum": \##(values)}, "a": {"type": "string"}}},
                "B": {"properties": {"k": {"enum": [1]}}}}
                """##
        )
        #expect(code.warnings.contains { $0.contains("the discriminator are not of one type") })
        #expect(!code.models.contains("fatalError()\n") && !code.models.contains("switch decoder"))
    }

    @Test func `A const of 1.0 in an anyOf becomes the integer 1 in the switch that selects the enum case`() throws {
        let code = try models(
            #"{"anyOf": [{"properties": {"n": {"const": 1.0}}}, {"properties": {"n": {"const": 2}}}]}"#
        )
        #expect(code.contains("case 1: self = ") && code.contains("case 2: self = "))
    }

    @Test func `The enum generated for an anyOf selects its case by the const values of a shared property`() throws {
        let code = try models(
            #"{"anyOf": [{"properties": {"n": {"const": 1}}}, {"properties": {"n": {"enum": [2, 3]}}}]}"#
        )
        #expect(code.contains(#"switch decoder.member("n", as: Int.self) {"#))
        #expect(code.contains("case 2, 3: self = "))
    }

    @Test func `Decoding a oneOf without a discriminator tries the schema with more required members first`() throws {
        let code = try models(#"{"oneOf": \#(both)}"#)
        let cat = try #require(code.range(of: #"decoder.fitting(Cat.self, withAllOf: ["lives"])"#))
        let dog = try #require(code.range(of: "decoder.fitting(Dog.self)"))
        #expect(cat.lowerBound < dog.lowerBound)
    }

    @Test func `An anyOf of objects that may fit together has the members of all`() throws {
        let code = try models(
            #"{"anyOf": [{"title": "A", "properties": {"a": {}}}, {"title": "B", "properties": {"b": {}}}]}"#
        )
        #expect(
            code.contains("struct Thing") && code.contains("var a: JSONValue?") && code.contains("var b: JSONValue?")
        )
    }

    @Test func `Decoding a oneOf of objects that require no member selects one by any of its own members`() throws {
        let code = try models(
            #"{"oneOf": [{"title": "A", "properties": {"a": {}}}, {"title": "B", "properties": {"b": {}}}]}"#
        )
        #expect(code.contains(#"decoder.fitting(A.self, withAnyOf: ["a"])"#))
        #expect(code.contains(#"decoder.fitting(B.self, withAnyOf: ["b"])"#))
    }

    /// What a child adds, the mapping of the base, and the case that reads it; `nil` for a base without kinds.
    @Test(arguments: [
        (#", {"properties": {"skill": {"type": "string"}}}"#, "", #"case "Cat": self = .cat(try Cat(from: decoder))"#),
        ("", "", #"case "Cat": self = .cat(try Cat(from: decoder))"#),
        (
            #", {"properties": {"kind": {"enum": ["c"]}}}"#, "", #"case "c": self = .cat(try Cat(from: decoder))"#
        ),
        (
            "", ##", "mapping": {"tiger": "#/components/schemas/Cat", "lion": "Cat"}"##,
            #"case "tiger", "lion": self = .cat(try Cat(from: decoder))"#
        ),
    ])
    func `A base with a discriminator is an enum of the schemas that have it among their parts`(
        own: String,
        mapping: String,
        line: String
    ) throws {
        let base = #"""
            {"properties": {"kind": {"type": "string"}, "name": {"type": "string"}},
            "discriminator": {"propertyName": "kind"\#(mapping)}}
            """#
        let child = ##"{"allOf": [{"$ref": "#/components/schemas/Thing"}\##(own)]}"##
        let grandchild =
            ##"{"allOf": [{"$ref": "#/components/schemas/Cat"}, {"properties": {"old": {"type": "boolean"}}}]}"##
        let code = try Generated(schemas: #"{"Thing": \#(base), "Cat": \#(child), "OldCat": \#(grandchild)}"#)
        #expect(code.models.contains(#"switch decoder.member("kind", as: String.self) {"#))
        #expect(code.models.contains(line))
        // The values of a part are those of what has it.
        #expect(code.models.contains("self = .oldCat(try OldCat(from: decoder))") != own.contains("enum"))
        #expect(code.models.contains("struct Cat:") && code.models.contains("var name: String?"))
        #expect(code.warnings.isEmpty)
        if mapping.isEmpty { #expect(try models(base).contains("struct Thing")) }
    }

    /// What the base and its kinds say of the discriminator, and the cases.
    @Test(arguments: [
        (
            #"{"type": "string", "enum": ["Cat", "Dog"]}"#, "",
            [#"case "Cat": self = .cat("#, #"case "Dog": self = .dog("#]
        ),
        (
            #"{"type": "string", "enum": ["Cat", "dog"]}"#, #""kind": {"const": "dog"}, "#,
            [#"case "Cat": self = .cat("#, #"case "dog": self = .dog("#]
        ),
    ])
    func `Kinds that have the list of all kinds from their base are told apart by their names`(
        kind: String,
        own: String,
        cases: [String]
    ) throws {
        func child(_ own: String) -> String {
            ##"{"allOf": [{"$ref": "#/components/schemas/Thing"}, {"properties": {\##(own) "x": {"type": "string"}}}]}"##
        }
        let base = #"{"properties": {"kind": \#(kind)}, "discriminator": {"propertyName": "kind"}}"#
        let code = try Generated(schemas: #"{"Thing": \#(base), "Cat": \#(child("")), "Dog": \#(child(own))}"#)
        for line in cases { #expect(code.models.contains(line), "\(line)") }
        #expect(code.warnings.isEmpty)
    }

    @Test func `A base that lists its kinds in oneOf is their enum, and each has its members`() throws {
        let base = ##"""
            {"properties": {"kind": {"type": "string"}, "name": {"type": "string"}}, "discriminator": {"propertyName": "kind"},
            "oneOf": [{"$ref": "#/components/schemas/Kitten"}, {"$ref": "#/components/schemas/Puppy"}]}
            """##
        func child(_ own: String) -> String {
            ##"{"allOf": [{"$ref": "#/components/schemas/Thing"}, {"properties": {"\##(own)": {"type": "string"}}}]}"##
        }
        let code = try Generated(schemas: #"{"Thing": \#(base), "Kitten": \#(child("x")), "Puppy": \#(child("y"))}"#)
        #expect(code.models.contains(#"case "Puppy": self = .puppy(try Puppy(from: decoder))"#))
        #expect(code.models.components(separatedBy: "var name: String?").count == 3)
        #expect(code.warnings.isEmpty)
    }

    @Test func `A kind without the member that tells it apart gives a warning`() throws {
        let base = #"{"properties": {"a": {"type": "string"}}, "discriminator": {"propertyName": "kind"}}"#
        let child = ##"{"allOf": [{"$ref": "#/components/schemas/Thing"}, {"properties": {"x": {"type": "string"}}}]}"##
        let code = try Generated(schemas: #"{"Thing": \#(base), "Kid": \#(child)}"#)
        #expect(code.warnings.count == 1)
    }

    @Test func `Variants without the object that has the constant are tried, however many there are`() throws {
        func variant(_ value: String) -> String {
            let inner = #"{"type": "object", "properties": {"type": {"const": "\#(value)"}}}"#
            return #"{"title": "\#(value)", "properties": {"definition": \#(inner)}}"#
        }
        let others = #"{"type": "string"}, {"type": "integer"}, {"type": "boolean"}"#
        let code = try models(#"{"oneOf": [\#(others), \#(variant("text")), \#(variant("log"))]}"#)
        #expect(code.contains(#"switch decoder.member("definition", "type", as: String.self) {"#))
        #expect(code.contains("decoder.fitting(String.self)") && code.contains("decoder.fitting(Int.self)"))
    }

    /// Variants beside two that a constant tells apart, and what reads them.
    @Test(arguments: [
        (#"{"type": "string"}"#, "if let value = decoder.fitting(String.self) {"),
        (
            #"{"title": "Third", "properties": {"x": {"type": "string"}}}"#,
            #"decoder.fitting(Third.self, withAnyOf: ["x"])"#
        ),
        (
            #"{"title": "Third", "required": ["x"], "properties": {"x": {}}}"#,
            "decoder.fitting(Third.self, withAllOf: [\"x\"])"
        ),
    ])
    func `Variants without a constant are tried where no constant fits`(third: String, line: String) throws {
        func variant(_ value: String) -> String {
            #"{"title": "\#(value)", "properties": {"kind": {"const": "\#(value)"}, "text": {"type": "string"}}}"#
        }
        let code = try models(#"{"oneOf": [\#(third), \#(variant("a")), \#(variant("b"))]}"#)
        for line in [
            #"switch decoder.member("kind", as: String.self) {"#, #"case "b": self = .b(try B(from: decoder))"#, line,
        ] {
            #expect(code.contains(line))
        }
    }

    /// A reference to a base in the other ways to write one.
    @Test(arguments: [
        ##"{"allOf": [{"$ref": "#/components/schemas/Base"}], "description": "d"}"##,
        ##"{"allOf": [{"$ref": "#/components/schemas/Base"}], "nullable": true}"##,
        ##"{"oneOf": [{"$ref": "#/components/schemas/Base"}, {"type": "null"}]}"##,
    ])
    func `A described or nullable reference to a base is that base`(schema: String) throws {
        let code = try Generated(
            schemas: ##"""
                {"Thing": {"type": "object", "properties": {"pet": \##(schema)}},
                "Base": {"properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}},
                "Cat": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"lives": {"type": "integer"}}}]}}
                """##
        )
        #expect(code.property("pet")?.contains("var pet: Base?") == true)
        #expect(code.models.contains("enum Base:"))
    }

    /// Further variants of an `anyOf` of two objects that may fit together, and whether it is a structure.
    @Test(arguments: [
        (#"{"type": "null"}"#, true), (#"{"required": [], "properties": {"c": {}}}"#, true),
        (#"{"required": ["c"], "properties": {"c": {}}}"#, false), (#"{"type": "string"}"#, false),
    ])
    func `An anyOf of loose objects may have a null`(third: String, isStructure: Bool) throws {
        let code = try models(
            #"{"anyOf": [{"title": "A", "properties": {"a": {}}}, {"title": "B", "properties": {"b": {}}}, \#(third)]}"#
        )
        #expect(code.contains("struct Thing") == isStructure)
    }

    /// A level deeper, with a constant that an object has to have.
    @Test(arguments: [
        ("definition", true, #"switch decoder.member("definition", "type", as: String.self) {"#),
        ("definition", false, #"switch decoder.member("definition", "type", as: String.self) {"#),
        ("other", true, "decoder.fitting("),
    ])
    func `A choice is told apart by a constant in a member that both have to have`(
        second: String,
        isRequired: Bool,
        line: String
    ) throws {
        func variant(_ name: String, _ value: String) -> String {
            let inner =
                #"{"type": "object", "properties": {"type": {"const": "\#(value)"}, "text": {"type": "string"}}}"#
            let required = isRequired ? #", "required": ["\#(name)"]"# : ""
            return #"{"title": "\#(value)", "properties": {"\#(name)": \#(inner)}\#(required)}"#
        }
        let code = try models(#"{"oneOf": [\#(variant("definition", "text")), \#(variant(second, "log"))]}"#)
        #expect(code.contains(line))
        if line.hasPrefix("switch") { #expect(code.contains(#"case "log": self = .log(try Log(from: decoder))"#)) }
    }

    @Test func `A schema with properties and a oneOf becomes one struct with the members of all alternatives`() throws {
        let code = try models(
            ##"{"properties": {"id": {"type": "string"}}, "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}"##
        )
        for line in ["var id: String?", "var lives: Int?", "var bark: Bool?"] { #expect(code.contains(line)) }
        #expect(!code.contains("enum Thing"))
    }

    @Test func `An object schema whose anyOf only lists required members becomes a struct, not an enum`() throws {
        let code = try models(
            #"{"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]}"#
        )
        #expect(code.contains("struct Thing"))
    }

    @Test func `A oneOf that contains itself in an object's property makes that property @Indirect`() throws {
        let code = try models(
            ##"{"oneOf": [{"type": "string"}, {"title": "Not", "required": ["not"], "properties": {"not": {"$ref": "#/components/schemas/Thing"}}}]}"##
        )
        #expect(code.contains("@Indirect public var not: Thing\n"))
    }
}
