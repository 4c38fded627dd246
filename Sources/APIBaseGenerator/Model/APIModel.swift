/// All that the generated code is written from.
final class APIModel {
    let name: String
    let document: Document
    let baseURL: String?
    let security: Security
    let operations: [Operation]
    /// The types that are not nested, in the order in which they are needed.
    let declarations: [Declaration]
    let failures: [Failure]

    /// Reads the chosen operations, and the schemas that they need.
    init(_ document: Document, outlines: [OperationOutline], chosen: [OperationOutline], settings: Settings)
        throws(Refusal)
    {
        self.document = document
        name = settings.name
        baseURL = document.root["servers"].flatMap { Servers.first(in: $0, document.warnings) }
        security = Security(document, outlines)
        let names = TypeNames(
            api: settings.name,
            leaves: outlines.map(\.leafName),
            schemas: (document.root["components"]?["schemas"]?.members ?? []).map { ($0.node.pointer, $0.name) },
            overrides: settings.names
        )
        let schemas = SchemaReader(document, names: names)
        let reader = OperationReader(document: document, schemas: schemas, security: security, series: settings.series)
        operations = chosen.map(reader.read)
        failures = Self.failures(of: outlines, Set(chosen.map(\.leafName)), document, schemas, api: settings.name)
        try schemas.finish()
        declarations = schemas.root.declarations
        for declaration in failures.compactMap(\.type.declaration) { declaration.isError = true }
        let all = (declarations + operations.flatMap(\.scope.declarations)).flatMap(\.withNested)
        Cycles.cut(all, document.warnings)
        UnionOrder.settle(all)
        Cycles.box(all)
    }

    private static func failures(
        of outlines: [OperationOutline],
        _ chosen: Set<String>,
        _ document: Document,
        _ schemas: SchemaReader,
        api: String
    ) -> [Failure] {
        let reader = ReplyReader(document: document, schemas: schemas)
        var failures: [Failure] = []
        var names = NameTable()
        // Of schemas without a name of their own, one is enough for those with the same members. It has its name also
        // where only some operations are chosen.
        var inline: [Set<String>: String] = [:]
        let all = outlines.flatMap { outline in reader.failures(of: outline).map { (leaf: outline.leafName, $0) } }
        for (leaf, (name, schema, statuses)) in all {
            let base = Identifier.type(name, fallback: "")
            var wanted = base.hasSuffix("Error") ? base : "\(base)Error"
            let members = schema["$ref"] == nil ? schemas.memberNames(of: schema) : []
            if !members.isEmpty {
                wanted = inline[members] ?? schemas.reserve(wanted)
                inline[members] = wanted
            }
            guard chosen.contains(leaf) else { continue }
            let type = schemas.read(schema, at: SchemaReader.Place(name: wanted, scope: schemas.root)).type
            guard let declaration = type.declaration else { continue }
            if let known = failures.firstIndex(where: { $0.type == type }) {
                failures[known].statuses.formUnion(statuses)
                continue
            }
            let typeName = declaration.name.hasPrefix(api) ? declaration.name : "\(api)\(declaration.name)"
            failures.append(Failure(property: names.take(typeName.lowerFirst), type: type, statuses: statuses))
        }
        return failures
    }
}

extension Declaration {
    var withNested: [Declaration] { [self] + scope.declarations.flatMap(\.withNested) }
}
