import Testing

@testable import APIBaseGenerator

/// The same document gives the same bytes: here are all of them for a small one.
@Suite struct GeneratorTests {
    private static let document = ##"""
        {"openapi": "3.0.3", "info": {"title": "Pet shop", "version": "2.1"}, "servers": [{"url": "https://pets.example/v2"}],
        "paths": {
          "/pets": {
            "get": {"operationId": "list_pets", "summary": "All pets", "tags": ["pets"],
              "parameters": [{"name": "limit", "in": "query", "description": "How many at most", "schema": {"type": "integer"}}],
              "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}},
            "post": {"operationId": "add_pet", "summary": "A new pet", "tags": ["pets"],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
              "responses": {"201": {}}}}},
        "components": {"schemas": {"Pet": {"type": "object", "description": "A pet.", "required": ["id", "owner_name"],
          "properties": {"id": {"type": "integer", "format": "int64"}, "owner_name": {"type": "string"},
            "status": {"type": "string", "enum": ["for-sale", "sold"]}}}}}}
        """##

    @Test func `The base class of an API names the title and the version of its document`() throws {
        #expect(try Generated(Self.document).document.contains("/// Pet shop, 2.1, as its document says.\n"))
    }

    @Test func `The generator turns a document with two operations into exactly the expected request classes`() throws {
        #expect(
            try Generated(Self.document).requests == #"""
                public import APIBaseKit

                /// `GET /pets`: All pets
                public final class ListPetsRequest: ShopAPI, Request {
                    public typealias ModelType = [Pet]
                    /// - Parameter limit: How many at most
                    public init(limit: Int? = nil) {
                        super.init(.get("/pets"))
                        query["limit"] = limit
                    }
                }

                /// `POST /pets`: A new pet
                public final class AddPetRequest: ShopAPI, Request {
                    public typealias ModelType = Void
                    public init(_ pet: Pet) { super.init(.post("/pets", json: pet)) }
                }

                """#
        )
    }

    @Test func `The generator turns an object schema with an enum property into exactly the expected struct`() throws {
        #expect(
            try Generated(Self.document).models == #"""
                public import APIBaseKit

                /// A pet.
                public nonisolated struct Pet: Codable, Hashable, Sendable {
                    public var id: Int64
                    public var ownerName: String
                    public var status: Status?

                    public init(id: Int64, ownerName: String, status: Status? = nil) {
                        (self.id, self.ownerName, self.status) = (id, ownerName, status)
                    }

                    public nonisolated struct Status: RawRepresentable, ExpressibleByStringLiteral, Codable, Hashable, Sendable, QueryValue {
                        public let rawValue: String
                        public init(rawValue: String) { self.rawValue = rawValue }
                        public init(stringLiteral text: String) { self.rawValue = text }
                        public static let forSale = Self(rawValue: "for-sale")
                        public static let sold = Self(rawValue: "sold")
                    }

                    private nonisolated enum CodingKeys: String, CodingKey {
                        case id
                        case ownerName = "owner_name"
                        case status
                    }
                }

                """#
        )
    }

    @Test func `Generating code from one document six times gives identical files`() throws {
        let first = try Generated(Self.document).files
        for _ in 0..<5 { #expect(try Generated(Self.document).files == first) }
    }

    @Test func `Generating only one operation changes neither the models nor that operation's request class`() throws {
        let all = try Generated(Self.document)
        let few = try Generated(Self.document) { $0.only = ["list_pets"] }
        #expect(few.models == all.models)
        let leaf = few.requests.replacing("public import APIBaseKit\n", with: "")
        #expect(leaf.contains("class ListPetsRequest") && !leaf.contains("class AddPetRequest"))
        #expect(all.requests.contains(leaf))
    }
}
