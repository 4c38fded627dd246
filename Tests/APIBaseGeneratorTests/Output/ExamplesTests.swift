import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

@Suite struct ExamplesTests {
    private let code: Generated

    init() throws {
        code = try Generated(
            paths: ##"""
                {"/a": {"get": {"operationId": "getA", "responses": {"200": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/Pet"}, "examples": {"one": {"value": {"id": 1}}, "two": {"value": {"id": "no"}}}}}}}},
                "put": {"operationId": "putA", "responses": {"204": {}}}},
                "/b": {"get": {"operationId": "getB", "responses": {"200": {"content": {"application/json": {"schema":
                {"$ref": "#/components/schemas/Pet"}}}}}}}}
                """##,
            schemas:
                #"{"Pet": {"required": ["id", "at"], "properties": {"id": {"type": "integer"}, "at": {"type": ["string", "null"], "format": "date-time"}}}}"#
        )
    }

    @Test
    func `A generated stub answers with the document's example, or without one the schema's smallest value`() throws {
        let stubs = try #require(code.files["ShopExamples+Stubs.swift"])
        #expect(stubs.contains("on(GetARequest.self).answer(.json(ShopExamples.getA[0]))"))
        #expect(stubs.contains("on(PutARequest.self).answer(.status(204))"))
        #expect(stubs.contains(##"on(GetBRequest.self).answer(.json(#"{"id": 1, "at": null}"#))"##))
    }

    @Test func `The generated tests decode each example as the type of its response`() throws {
        let tests = try #require(code.files["ShopExamplesTests.swift"])
        #expect(tests.contains("@Test func getA() throws { try decode(Pet.self, ShopExamples.getA) }"))
        #expect(code.files["ShopExamples.swift"]?.contains(##"#"{"id": 1}"#,"##) == true)
    }

    @Test func `An example that does not fit its schema gives a warning with its location`() {
        #expect(
            code.warnings == [
                "#/paths/~1a/get/responses/200/content/application~1json/examples/two/value/id: the example does not fit its own schema: a text, expected Int"
            ]
        )
    }
}
