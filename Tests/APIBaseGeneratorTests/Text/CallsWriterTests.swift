import Foundation
import OpenAPIDocument
import Testing

@testable import APIBaseGenerator

/// Functions of the class, and files that would be too long.
@Suite struct CallsWriterTests {
    private static let paths = #"""
        {"/pets/{id}": {"get": {"operationId": "getPet", "summary": "A pet", "deprecated": true, "responses": {},
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
        {"name": "in", "in": "query", "schema": {"enum": ["a", "b"]}}]}},
        "/pets": {"post": {"operationId": "add-pet", "responses": {}, "requestBody": {"required": true,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}},
        "/url": {"get": {"operationId": "baseURL", "responses": {}}}}
        """#

    @Test func `With the setting calls, the class has a function for each operation`() throws {
        let pet = #"{"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}"#
        let code = try Generated(paths: Self.paths, schemas: pet) { $0.hasCalls = true }
        #expect(
            code.files["ShopAPI+Calls.swift"] == #"""
                import APIBaseKit

                nonisolated extension ShopAPI {
                    /// `GET /pets/{id}`: A pet
                    @available(*, deprecated, message: "The document calls this operation deprecated.")
                    public static func getPet(id: Int, `in`: GetPetRequest.In? = nil) -> GetPetRequest {
                        GetPetRequest(id: id, in: `in`)
                    }

                    /// `POST /pets`
                    public static func addPet(_ pet: Pet) -> AddPetRequest { AddPetRequest(pet) }

                    /// `GET /url`
                    public static func baseURL2() -> BaseURLRequest { BaseURLRequest() }
                }

                """#
        )
        #expect(try Generated(paths: Self.paths).files["ShopAPI+Calls.swift"] == nil)
        let settings = try Settings(
            Data(#"{"name": "Shop", "document": "x", "calls": true}"#.utf8),
            path: "apibase.json"
        )
        #expect(settings.hasCalls && settings.text.contains(#""calls": true"#))
    }

    @Test func `No file has more lines than can be read`() throws {
        let example = #"{"a": 1, "b": [1, 2, 3], "c": {"d": "\#(String(repeating: "x", count: 90))"}}"#
        let content = #"{"application/json": {"schema": {"type": "object"}, "example": \#(example)}}"#
        let operations = (0..<900).map {
            #""/a/\#($0)": {"get": {"operationId": "get\#($0)", "tags": ["a"], "responses": {"200": {"content": \#(content)}}}}"#
        }
        let code = try Generated(paths: "{\(operations.joined(separator: ","))}")
        for (path, text) in code.files where !path.contains("Stubs") {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 3_001, "\(path)")
        }
        for name in ["ARequests.swift", "ARequests2.swift", "ShopExamples2.swift"] {
            #expect(code.files[name] != nil, "\(name)")
        }
        #expect(code.files["ShopExamples.swift"]?.contains("enum ShopExamples {") == true)
        #expect(code.files["ShopExamples2.swift"]?.contains("extension ShopExamples {") == true)
        #expect(code.files.values.joined().components(separatedBy: "final class").count == 901)
    }
}
