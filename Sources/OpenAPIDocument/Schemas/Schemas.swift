import Basics

/// Which rules hold for the keywords of schemas.
package enum Dialect: Sendable {
    case openAPI30
    /// Draft 2020-12 with `discriminator`, `format` and `nullable`.
    case openAPI31
    /// Draft 2020-12 alone.
    case jsonSchema
}

/// Which way a value is sent: clients need not send what is `readOnly`, and servers not what is `writeOnly`.
package enum Direction: Sendable { case request, reply }

/// The schemas of a document, to check values with. Each is compiled when it is first used.
package final class Schemas: Sendable {
    private let dialect: Dialect
    private let table: Locked<SchemaTable>

    package init(_ root: Node, dialect: Dialect) {
        self.dialect = dialect
        table = Locked(SchemaTable(root, dialect: dialect))
    }

    /// The schemas of an OpenAPI document.
    package convenience init(of document: Document) {
        let is30 = document.root.json["openapi"]?.text?.hasPrefix("3.0") ?? false
        self.init(document.root, dialect: is30 ? .openAPI30 : .openAPI31)
    }

    /// The places in a value that do not fit its schema, at most 1,000; none if it fits.
    ///
    /// With `isText`, the strings are texts of a URL or a form: each also counts as a number, a Boolean or null if it
    /// reads as one.
    package func findings(
        in value: JSON,
        schema: Node,
        direction: Direction?,
        isText: Bool = false
    ) -> [SchemaFinding] {
        let (number, schemas, logsAll) = table.withLock { table in
            let number = table.number(ofCompiled: schema)
            return (number, table.schemas, table.hasUnevaluated)
        }
        let settings = Checker.Settings(
            reportsUnknown: dialect != .jsonSchema,
            isStrict: dialect == .jsonSchema,
            logsAll: logsAll,
            direction: direction,
            isText: isText
        )
        let tree = ValueTree(value)
        let check = { @Sendable (limit: Int) in
            var checker = Checker(schemas, tree, settings, depthLimit: limit)
            return checker.findings(schema: number)
        }
        if !tree.isDeep, let findings = check(40) { return findings }
        return (try? DeepStack.run { check(10_000) }) ?? [.ended("refers too deep", schema.pointer)]
    }

    /// The parts that cannot be compared, of the schemas that have been used.
    package var warnings: [Warning] { table.withLock { $0.warnings } }

    /// The values that a schema allows, through references and combinations: for readers of parameters.
    package func outline(of schema: Node) -> SchemaOutline { table.withLock { $0.outline(of: schema) } }
}

extension SchemaFinding {
    /// Why a value was not checked to the end.
    static func ended(_ reason: String, _ schema: String) -> SchemaFinding {
        SchemaFinding(place: "#", schema: schema, message: reason)
    }
}
