import TestTiers
import Testing

@testable import APIBaseGenerator

/// Documents in which schemas refer to one another again and again: nothing is read, or written, once for each way.
///
/// Without that, each of them takes hours.
@Suite(.limited) struct LargeDocumentTests {
    /// Schemas of which each is made of the next one.
    private func ladder(_ levels: Int, _ rung: (_ next: String) -> String) -> String {
        let rungs = (0..<levels).map { level in
            let next = ##"{"$ref": "#/components/schemas/S\##(level + 1)"}"##
            return "\"\(level == 0 ? "Thing" : "S\(level)")\": \(rung(next)),"
        }
        return #"{\#(rungs.joined()) "S\#(levels)": {"properties": {"x": {"type": "string"}}}}"#
    }

    @Test(arguments: ["allOf", "oneOf", "anyOf"])
    func `Code for 40 levels of allOf, oneOf or anyOf that each use the next twice takes under a minute`(
        keyword: String
    )
        throws
    {
        let code = try Generated(schemas: ladder(40) { #"{"\#(keyword)": [\#($0), {"allOf": [\#($0)]}]}"# })
        #expect(code.models.contains("var x: String?"))
    }

    /// A chain of references, which would end the stack.
    @Test func `A chain of 600 allOf references becomes JSONValue with a warning, without a stack overflow`() throws {
        let code = try Generated(schemas: ladder(600) { #"{"allOf": [\#($0), {"title": "x"}]}"# })
        #expect(code.requests.contains("typealias ModelType = JSONValue"))
        #expect(code.warnings.contains { $0.contains("more than 500 references lead here") })
    }

    @Test func `An example of 700 nested arrays is written whole, in lines that are not indented 700 times`() throws {
        let deep = String(repeating: "[", count: 700) + String(repeating: "]", count: 700)
        let reply = #"{"responses": {"200": {"content": {"application/json": {"example": \#(deep)}}}}}"#
        let examples = try #require(Generated(paths: #"{"/a": {"get": \#(reply)}}"#).files["ShopExamples.swift"])
        // One more is in the type of the constant, and one begins its list.
        #expect(examples.count { $0 == "[" } == 702)
        #expect(examples.utf8.count < 200_000)
    }

    @Test func `Many enum values that give the same Swift name get numbered constants within a minute`() throws {
        let count = load(2_000)
        let values = (0..<count).map { "\"a\(String(repeating: "-", count: $0))\"" }.joined(separator: ",")
        #expect(try Generated(schemas: #"{"Thing": {"enum": [\#(values)]}}"#).models.contains("let a\(count) = "))
    }

    @Test func `Code for a discriminator that maps up to 1,500 schemas is generated within a minute`() throws {
        let count = load(1_500)
        let names = (0..<count).map { "V\($0)" }
        let variants = names.map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }.joined(separator: ",")
        let mapping = names.map { ##""\##($0)x": "#/components/schemas/\##($0)""## }.joined(separator: ",")
        let schemas = names.map { #""\#($0)": {"properties": {"\#($0)": {"type": "string"}}}"# }.joined(separator: ",")
        let code = try Generated(
            schemas:
                #"{"Thing": {"oneOf": [\#(variants)], "discriminator": {"propertyName": "kind", "mapping": {\#(mapping)}}}, \#(schemas)}"#
        )
        #expect(
            code.models.contains(#"case "V\#(count - 1)x": self = .v\#(count - 1)(try V\#(count - 1)(from: decoder))"#)
        )
    }

    /// What grew with the square or the cube of the number.
    @Test(arguments: [
        "members of one schema in many variants", "many small variants", "many variants with one member",
        "references into a long list",
    ])
    func `Choices of up to 2,000 variants are generated within a minute`(kind: String) throws {
        let count = load(2_000)
        func list(_ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ",") }
        let base = #""Base": {"properties": {\#(list { #""p\#($0)": {"type": "string"}"# })}}"#
        let many = #"{"properties": {"p": {"oneOf": [\#(list { #"{"title": "T\#($0)", "type": "object"}"# })]}}}"#
        let schemas: String =
            switch kind {
            case "members of one schema in many variants":
                ##"{\##(base), "Thing": {"oneOf": [\##(list { ##"{"title": "V\##($0)", "$ref": "#/components/schemas/Base"}"## })]}}"##
            case "many small variants":
                #"{"Thing": {"oneOf": [\#(list { #"{"properties": {"p\#($0)": {"type": "integer"}}}"# })]}}"#
            case "many variants with one member":
                #"{"Thing": {"properties": {"a": {}}, "oneOf": [\#(list { #"{"properties": {"p": {"title": "\#($0)"}}}"# })]}}"#
            default:
                ##"{"All": \##(many), "Thing": {"oneOf": [\##(list { ##"{"$ref": "#/components/schemas/All/properties/p/oneOf/\##($0)"}"## })]}}"##
            }
        #expect(try !Generated(schemas: schemas).models.isEmpty)
    }

    /// Each kind has the base among its parts, and the base lists all of them.
    @Test func `A base with three thousand kinds is read in time`() throws {
        let names = (0..<3_000).map { "K\($0)" }
        let kinds = names.map { ##""\##($0)": {"allOf": [{"$ref": "#/components/schemas/Thing"}]}"## }
        let list = names.map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }.joined(separator: ",")
        let base =
            #"{"properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}, "oneOf": [\#(list)]}"#
        let code = try Generated(schemas: #"{"Thing": \#(base), \#(kinds.joined(separator: ","))}"#)
        #expect(code.models.contains("case \"K2999\": self = .k2999(try K2999(from: decoder))"))
    }
}
