import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

@Suite struct ExamplesTests {
    private let code: Generated

    init() throws {
        code = try Generated(
            paths: ##"""
                {"/a": {"get": {"operationId": "getA", "responses": {"200": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/Pet"}, "examples": {"one": {"value": {"id": 1, "at": null}}, "two": {"value": {"id": "no", "at": null}}}}}}}},
                "put": {"operationId": "putA", "responses": {"204": {}}}},
                "/b": {"get": {"operationId": "getB", "responses": {"200": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/Pet"}}}}}}}}
                """##,
            schemas:
                #"{"Pet": {"required": ["id", "at"], "properties": {"id": {"type": "integer"}, "at": {"type": ["string", "null"], "format": "date-time"}}}}"#
        )
    }

    @Test func `The generated stubs and the trait of tests read the document by its path from the tests`() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"openapi": "3.1.0", "info": {}, "paths": {}}"#, to: "shop.json")
        try folder.run {
            ($0.document, $0.name, $0.out, $0.tests) = ("shop.json", "Shop", "Sources/Shop", "Tests/ShopTests")
        }
        let stubs = try #require(folder.text("Tests/ShopTests/ShopExamples+Stubs.swift"))
        #expect(stubs.contains(#"shopDocument: Self { .document("../../shop.json").of(ShopDocument.self) }"#))
        #expect(stubs.contains("func shopExamples() throws {"))
        #expect(stubs.contains(#"on(document: try APIDocument(file: "../../shop.json").of(ShopDocument.self))"#))
    }

    @Test func `The generated tests decode each example as the type of its response`() throws {
        let tests = try #require(code.files["ShopExamplesTests.swift"])
        #expect(tests.contains("@Test func getA() throws { try decode(Pet.self, ShopExamples.getA) }"))
        #expect(code.files["ShopExamples.swift"]?.contains(##"#"{"id": 1, "at": null}"#,"##) == true)
    }

    @Test func `An example that does not fit its schema gives a warning with its location`() {
        #expect(
            code.warnings == [
                "#/paths/~1a/get/responses/200/content/application~1json/examples/two/value/id: the example does not fit its own schema: it is the string “no”, expected an integer"
            ]
        )
    }
}
