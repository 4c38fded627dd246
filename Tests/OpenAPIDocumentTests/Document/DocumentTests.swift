import Foundation
import Testing

@testable import OpenAPIDocument

@Suite struct DocumentTests {
    @Test(arguments: [
        (#"{"openapi": "3.0.3", "in"#, "api.json", "api.json:1:25: not JSON"),
        (#"{"swagger": "2.0"}"#, "api.json", "npx swagger2openapi 'api.json' -o 'api.openapi.json'"),
        (#"{"name": "x"}"#, "package.json", "is no OpenAPI document"), ("[]", "list.json", "is no OpenAPI document"),
        ("openapi: !a 3.0.0\n", "api.yaml", "api.yaml:1:10: not YAML as it is read here: tags are not read."),
        ("openapi: !a 3.0.0\n", "api.yaml", "npx js-yaml 'api.yaml' > 'api.json'"),
        ("openapi: @\n", "api.json", "npx js-yaml 'api.json' > 'api.converted.json'"),
        ("---\nopenapi: 2\n", "api", "is OpenAPI 2"), (#"{"openapi": "4.0.0"}"#, "x.json", "is OpenAPI 4.0.0"),
    ])
    func `A document that is not OpenAPI 3 in JSON is refused, for YAML and Swagger 2 with a command to convert it`(
        text: String,
        name: String,
        words: String
    ) throws {
        let refusal = #expect(throws: DocumentError.self) { try Document(Data(text.utf8), name: name) }
        #expect(try #require(refusal?.errorDescription).contains(words))
    }

    @Test func `A document in YAML beyond a limit is refused without a command`() {
        let text = "openapi: 3.1.0\n---\n"
        let refusal = #expect(throws: DocumentError.self) { try Document(Data(text.utf8), name: "a.yaml") }
        #expect(refusal?.errorDescription == "a.yaml:2:1: more than one document is not read.")
    }

    @Test func `A chain of $ref is followed; a dangling, circular or external $ref gives a warning`() throws {
        let text = ##"""
            {"openapi": "3.0.0", "a": {"$ref": "#/b"}, "b": {"$ref": "#/c~1d"}, "c/d": {"x": [10, 11]},
            "e": {"$ref": "#/f"}, "f": {"$ref": "#/e"}, "g": {"$ref": "other.json#/x"}, "h": {"$ref": "#/none"},
            "i": {"$ref": "#/c~1d/x/1"}, "j": {"$ref": "#/c%7E1d/x/9"}}
            """##
        let document = try Document(Data(text.utf8), name: "a.json")
        func resolved(_ name: String) -> Node? { document.root[name].flatMap(document.resolved) }
        #expect(resolved("a")?.pointer == "#/c~1d")
        #expect(resolved("i")?.json == .number("11"))
        for name in ["e", "g", "h", "j"] { #expect(resolved(name) == nil) }
        #expect(document.warnings.all.map(\.pointer) == ["#/e", "#/g", "#/h", "#/j"])
        #expect(document.warnings.all[1].text.contains("npx @redocly/cli bundle 'a.json'"))
    }
}
