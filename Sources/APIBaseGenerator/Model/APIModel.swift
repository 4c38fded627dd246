import OpenAPIDocument

/// All that the generated code is written from.
final class APIModel {
    let name: String
    let document: Document
    let baseURL: String?
    let security: Security
    /// Whether the document says somewhere that streams of events end with `[DONE]`.
    let hasEndMark: Bool
    let operations: [Operation]
    /// The types that are not nested, in the order in which they are needed.
    let declarations: [Declaration]
    /// Those of all operations, of which each type is one.
    let failures: [Failure]
    /// Those of each operation, by the name of its leaf.
    private let ownFailures: [String: [Failure]]

    /// Reads the chosen operations, and the schemas that they need.
    init(_ document: Document, outlines: [OperationOutline], chosen: [OperationOutline], settings: Settings)
        throws(Refusal)
    {
        self.document = document
        name = settings.name
        baseURL = document.root["servers"].flatMap { Servers.first(in: $0, document.warnings) }
        security = Security(document, outlines)
        hasEndMark = document.root.json.mentions("[DONE]")
        let names = TypeNames(
            api: settings.name,
            leaves: outlines.map(\.leafName),
            schemas: (document.root["components"]?["schemas"]?.members ?? []).map { ($0.node.pointer, $0.name) },
            overrides: settings.names
        )
        let schemas = SchemaReader(document, outlines, names: names)
        let reader = OperationReader(document: document, schemas: schemas, security: security, series: settings.series)
        var operations = chosen.map(reader.read)
        (failures, ownFailures) = Self.failures(
            of: outlines,
            Set(chosen.map(\.leafName)),
            document,
            schemas,
            api: settings.name
        )
        try schemas.finish()
        for index in operations.indices {
            try operations[index].checkSeries(isForAll: settings.series["*"])
            operations[index].settleParameters(document.warnings)
        }
        declarations = schemas.root.declarations
        for declaration in failures.compactMap(\.type.declaration) { declaration.isError = true }
        for parameter in operations.flatMap(\.parameters) where parameter.location == .query {
            let variants = parameter.type.declaration?.union?.cases.map(\.type) ?? [parameter.type]
            // A body of the same type has nulls.
            for declaration in variants.compactMap(\.declaration) where !schemas.way(of: declaration).contains(.sent) {
                declaration.dropNulls()
            }
        }
        let all = (declarations + operations.flatMap(\.scope.declarations)).flatMap(\.withNested)
        self.operations = operations
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
    ) -> (all: [Failure], own: [String: [Failure]]) {
        let reader = ReplyReader(document: document, schemas: schemas)
        var failures: [Failure] = []
        var own: [String: [Failure]] = [:]
        var names = NameTable()
        let all = outlines.flatMap { outline in reader.failures(of: outline).map { (leaf: outline.leafName, $0) } }
        let unnamed = all.map(\.1.schema).filter { $0["$ref"] == nil && !schemas.memberNames(of: $0).isEmpty }
        let usual = unnamed.map(\.json.shape).mostFrequent
        // They have their names also where only some operations are chosen.
        var inline: [JSON: String] = [:]
        for (leaf, (name, schema, statuses)) in all {
            let shape = schema.json.shape
            let operation = String(leaf.dropLast(leaf.hasSuffix("Request") ? 7 : 0))
            let base = name.isEmpty && shape != usual ? operation : Identifier.type(name, fallback: "")
            var wanted = base.hasSuffix("Error") ? base : "\(base)Error"
            if schema["$ref"] == nil, !schemas.memberNames(of: schema).isEmpty {
                wanted = inline[shape] ?? schemas.reserve(wanted)
                inline[shape] = wanted
            }
            guard chosen.contains(leaf) else { continue }
            let type = schemas.read(schema, at: SchemaReader.Place(name: wanted, scope: schemas.root)).type
            guard let declaration = type.declaration else { continue }
            let known = failures.firstIndex { $0.type == type }
            if let known { failures[known].statuses.formUnion(statuses) }
            let typeName = declaration.name.hasPrefix(api) ? declaration.name : "\(api)\(declaration.name)"
            let property = known.map { failures[$0].property } ?? names.take(typeName.lowerFirst)
            let failure = Failure(property: property, type: type, statuses: statuses)
            if known == nil { failures.append(failure) }
            own[leaf, default: []].append(failure)
        }
        return (failures, own)
    }

    /// The errors of an operation with the statuses after which another operation has another error, in their order.
    func disputedErrors(of operation: Operation) -> [Failure] {
        (ownFailures[operation.name] ?? []).filter(\.isError).compactMap { own in
            let others = failures.filter { $0.isError && $0.type != own.type }.reduce(into: Set<Int>()) {
                $0.formUnion($1.statuses)
            }
            let disputed = Failure(property: own.property, type: own.type, statuses: own.statuses.intersection(others))
            return disputed.statuses.isEmpty ? nil : disputed
        }
        .sorted { ($0.statuses.min() ?? 0) < ($1.statuses.min() ?? 0) }
    }
}

extension Operation {
    /// A rule for all operations is for those that have what it names; a rule for one has to fit.
    fileprivate mutating func checkSeries(isForAll rule: Series?) throws(Refusal) {
        guard let series else { return }
        guard let wrong = series.misfit(in: self) else {
            let members =
                series.paths.compactMap { MemberPath($0, in: result) } + [series.list(in: result)].compactMap(\.self)
            for (declaration, key) in members.flatMap(\.nullable) { declaration.pageKeys.insert(key) }
            return
        }
        guard series != rule else { return self.series = nil }
        let name = outline.id ?? outline.route
        let reason = "the rule for the pages of “\(name)” does not fit: \(wrong)"
        throw .badSettings(Settings.fileName, reason: reason)
    }
}

extension Series {
    /// The reason for which it does not fit an operation: a name that this does not have, or that has another type.
    fileprivate func misfit(in operation: Operation) -> String? {
        let reply = operation.result
        func wrong(_ path: String?, _ type: String, _ isRight: (MemberPath) -> Bool) -> String? {
            guard let path, MemberPath(path, in: reply).map(isRight) != true else { return nil }
            return "its reply has no \(type) “\(path)”"
        }
        func wrong(_ item: String, _ counting: Counting, isListNeeded: Bool) -> String? {
            if operation.countedItem(item) == nil { return "its query has no integer “\(item)”" }
            let wrong =
                wrong(counting.total, "integer", \.isInteger) ?? wrong(counting.more, "Boolean") { $0.type == .bool }
            guard wrong == nil, isListNeeded, MemberPath.list(at: counting.list, in: reply) == nil else { return wrong }
            return counting.list.map { "its reply has no list “\($0)”" } ?? "name one list of its reply: “list”"
        }
        return switch self {
        case .url(let path): wrong(path, "text") { $0.type == .string }
        case .query(_, let path, let more):
            wrong(path, "text or number", \.isScalar) ?? wrong(more, "Boolean") { $0.type == .bool }
        case .number(let item, let counting):
            wrong(item, counting, isListNeeded: counting.total == nil && counting.more == nil)
        case .offset(let item, let counting): wrong(item, counting, isListNeeded: true)
        case .link, .header, .polling: nil
        }
    }
}

extension Series {
    /// The paths in the reply that it names.
    fileprivate var paths: [String] {
        switch self {
        case .url(let path): [path]
        case .query(_, let path, let more): [path] + [more].compactMap(\.self)
        case .number(_, let counting), .offset(_, let counting): [counting.total, counting.more].compactMap(\.self)
        case .link, .header, .polling: []
        }
    }

    fileprivate func list(in reply: SwiftType) -> MemberPath? {
        switch self {
        case .number(_, let counting), .offset(_, let counting): MemberPath.list(at: counting.list, in: reply)
        case .link, .header, .url, .query, .polling: nil
        }
    }
}

extension Operation {
    /// A query item that counts.
    func countedItem(_ key: String) -> Parameter? {
        parameters.first { $0.location == .query && $0.key == key && [.int, .int64].contains($0.type) }
    }
}

extension [JSON] {
    /// The value that stands most often, of several the first.
    fileprivate var mostFrequent: JSON? {
        var counts: [JSON: Int] = [:]
        for value in self { counts[value, default: 0] += 1 }
        return self.reduce(first) { best, value in
            best.map { (counts[value] ?? 0) > (counts[$0] ?? 0) ? value : $0 }
        }
    }
}

extension Declaration {
    /// A query has no null: a member is there or not.
    fileprivate func dropNulls() {
        guard var structure else { return }
        for index in structure.properties.indices where structure.properties[index].isNullable {
            (structure.properties[index].isNullable, structure.properties[index].isRequired) = (false, false)
        }
        kind = .structure(structure)
    }

    var withNested: [Declaration] { [self] + scope.declarations.flatMap(\.withNested) }
}
