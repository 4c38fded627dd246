import Foundation
import Testing

@testable import OpenAPIDocument

func json(_ text: String) throws -> JSON { try JSONReader.read(Data(text.utf8)) }

/// A document with one schema, or with named ones.
struct SchemaCase {
    let root: Node
    let schemas: Schemas
    let schema: Node

    /// The schema is the document.
    init(_ schema: String, _ dialect: Dialect = .jsonSchema) throws {
        root = Node(json: try json(schema), pointer: "#")
        schemas = Schemas(root, dialect: dialect)
        self.schema = root
    }

    /// The document has these `components/schemas`, of which one is checked.
    init(components: String, _ dialect: Dialect = .openAPI31, schema name: String = "A") throws {
        root = Node(json: ["components": ["schemas": try json(components)]], pointer: "#")
        schemas = Schemas(root, dialect: dialect)
        schema = try #require(root.target(of: "#/components/schemas/\(name)"))
    }

    func findings(_ value: String, _ direction: Direction? = nil, isText: Bool = false) throws -> [SchemaFinding] {
        schemas.findings(in: try json(value), schema: schema, direction: direction, isText: isText)
    }

    /// The places and messages of the findings: `#/a is missing`.
    func lines(_ value: String, _ direction: Direction? = nil, isText: Bool = false) throws -> [String] {
        try findings(value, direction, isText: isText).map { "\($0.place) \($0.message)" }
    }
}
