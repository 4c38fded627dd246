import OpenAPIDocument

/// The schemas without a name that stand in several places of a document, each of which is one type.
///
/// They are looked for in all of the document, so that choosing fewer operations changes no name.
struct SharedShapes {
    /// Where the type of such a shape is declared.
    enum Home {
        /// Beside the types of named schemas, with this name.
        case root(String)
        /// In the leaf, or the type of the named schema, in which all its places are.
        case owner
        /// It is that of a named schema, at this pointer.
        case schema(String)
    }

    private struct Use {
        let owner: String
        var owners = 1
        var count = 1
        var names: [(text: String, count: Int)]
        var way: Directions.Way
    }

    private var uses: [JSON: Use] = [:]
    /// The shapes in the order in which they were found, so that a run gives the names of another one.
    private var order: [JSON] = []
    private var schemas: [JSON: String] = [:]
    /// The named schemas whose members others have by `allOf`.
    private var parts: Set<String> = []
    private var homes: [JSON: Home] = [:]
    /// The ways of the shapes that have a home, and of the named schemas that they equal, by their pointers.
    private var ways: (shapes: [JSON: Directions.Way], schemas: [String: Directions.Way]) = ([:], [:])
    /// That of what is being searched.
    private var way: Directions.Way = []

    /// Looks for them. `take` takes the name for a type that is not nested, of two: the second is for when the first is
    /// taken.
    init(
        _ document: Document,
        _ outlines: [OperationOutline],
        _ directions: Directions,
        take: (String, String) -> String
    ) {
        for (name, schema) in document.root["components"]?["schemas"]?.members ?? [] {
            way = directions.way(of: schema.pointer)
            visit(schema.json, name, owner: name, isWhole: true)
            let shape = schema.json.shape.withoutNull
            if shape.isDeclared, schemas[shape] == nil { schemas[shape] = schema.pointer }
        }
        for outline in outlines {
            let owner = String(outline.leafName.dropLast(outline.leafName.hasSuffix("Request") ? 7 : 0))
            way = .received
            for (status, reply) in outline.node["responses"]?.members ?? [] {
                // The type of a failure has a name of its own.
                visitContent(of: reply.json, "Reply", owner: owner, isWhole: !status.hasPrefix("2"))
            }
            way = .sent
            if let body = outline.node.json["requestBody"] { visitContent(of: body, "Body", owner: owner) }
            way = []
            for parameter in [outline.item, outline.node].flatMap({ $0.json["parameters"]?.array ?? [] }) {
                let name = Identifier.type(parameter["name"]?.string ?? "")
                if let schema = parameter["schema"] { visit(schema, name, owner: owner) }
            }
        }
        for shape in order { settle(shape, take) }
        (uses, order, parts) = ([:], [], [])
    }

    /// The home of the type of a shape; `nil` if it stands only in one place.
    func home(of shape: JSON) -> Home? { homes[shape] }

    /// The ways of all schemas that are one type with this one; `nil` for one that stands only in one place.
    func way(of shape: JSON) -> Directions.Way? { ways.shapes[shape] }

    /// The ways of the schemas without a name that equal the one at a pointer.
    func way(ofEqualsOf pointer: String) -> Directions.Way { ways.schemas[pointer] ?? [] }

    /// The shape of a schema with a name: equal for schemas that are one type.
    static func shape(of schema: JSON, named name: String) -> JSON { key(schema.shape.withoutNull, name) }

    // MARK: The search

    private mutating func visitContent(of message: JSON, _ name: String, owner: String, isWhole: Bool = false) {
        for (_, media) in message["content"]?.pairs ?? [] {
            if let schema = media["schema"] { visit(schema, name, owner: owner, isWhole: isWhole) }
        }
    }

    /// Counts a schema and those in it. One that has a name is a whole, and is not counted itself.
    private mutating func visit(_ schema: JSON, _ name: String, owner: String, isWhole: Bool = false) {
        guard let members = schema.object, members["$ref"] == nil else { return }
        let all = schema["allOf"]?.array ?? []
        if all.count > 1 || !all.isEmpty && members["properties"] != nil {
            let references = all.compactMap { $0["$ref"]?.string }
            parts.formUnion(references.compactMap { $0.split(separator: "/").last.map(String.init) })
        }
        for (key, property) in schema["properties"]?.pairs ?? [] { visit(property, Identifier.type(key), owner: owner) }
        for element in [schema["items"], schema["additionalProperties"]].compactMap(\.self) {
            visit(element, Identifier.singular(name), owner: owner)
        }
        // Parts of an object have no types of their own.
        for part in all { visit(part, name, owner: owner, isWhole: all.count > 1) }
        for variant in (schema["oneOf"]?.array ?? []) + (schema["anyOf"]?.array ?? []) {
            visit(variant, variantName(variant, name), owner: owner)
        }
        if !isWhole, schema.isDeclared { add(schema.shape.withoutNull, name, owner) }
    }

    private func variantName(_ variant: JSON, _ name: String) -> String {
        variant["title"]?.string.map { Identifier.type($0) } ?? name
    }

    private mutating func add(_ shape: JSON, _ name: String, _ owner: String) {
        let key = Self.key(shape, name)
        guard uses[key] != nil else {
            uses[key] = Use(owner: owner, names: [(name, 1)], way: way)
            order.append(key)
            return
        }
        uses[key]?.count += 1
        uses[key]?.way.formUnion(way)
        if uses[key]?.owner != owner { uses[key]?.owners += 1 }
        if let place = uses[key]?.names.firstIndex(where: { $0.text == name }) {
            uses[key]?.names[place].count += 1
        } else {
            uses[key]?.names.append((name, 1))
        }
    }

    /// Small shapes are alike by chance, unless they are called the same too.
    private static func key(_ shape: JSON, _ name: String) -> JSON {
        shape.isSmall ? .array([shape, .string(name)]) : shape
    }

    // MARK: The names

    private mutating func settle(_ key: JSON, _ take: (String, String) -> String) {
        guard let use = uses[key] else { return }
        let shape = key.array?.first ?? key
        defer { if homes[key] != nil { ways.shapes[key] = use.way } }
        let known = schemas[shape]
        if let known, !shape.isSmall || known.hasSuffix("/\(use.names[0].text)") {
            homes[key] = .schema(known)
            ways.schemas[known, default: []].formUnion(use.way)
        } else if use.owners > 1 || parts.contains(use.owner) {
            let general: Set = ["Body", "Reply", "Event", "Data", "Error", "Item", "Value"]
            let best = use.names.reduce(use.names[0]) { $1.count > $0.count ? $1 : $0 }.text
            let members = shape["properties"]?.pairs.prefix(2).map(\.name).joined(separator: " ") ?? ""
            let wanted = general.contains(best) && !members.isEmpty ? Identifier.type("\(members) \(best)") : best
            let own = Identifier.type(use.owner) + best
            homes[key] = .root(take(use.owners > 1 ? wanted : own, own))
        } else if use.count > 1 {
            homes[key] = .owner
        }
    }
}

extension JSON {
    /// The schema without its texts for readers.
    var shape: JSON {
        guard let members = object, members["$ref"] == nil else { return self }
        return .members(
            zip(members.names, members.values).filter { Self.isOfShape($0.0) }.map { ($0, Self.part($1, $0)) }
        )
    }

    private static func part(_ value: JSON, _ keyword: String) -> JSON {
        switch keyword {
        case "properties": .members(value.pairs.map { ($0.name, $0.value.shape) })
        case "items", "additionalProperties": value.shape
        case "oneOf", "anyOf", "allOf": value.array.map { .array($0.map(\.shape)) } ?? value
        default: value
        }
    }

    /// The shape of the type, of which the user of the schema says whether it may be missing.
    var withoutNull: JSON { object.map { .object($0.without(["nullable"])) } ?? self }

    fileprivate static func isOfShape(_ keyword: String) -> Bool {
        !texts.contains(keyword) && (!keyword.hasPrefix("x-") || keyword.hasPrefix("x-enum"))
    }

    private static let texts: Set<String> = [
        "description", "title", "example", "examples", "default", "deprecated", "externalDocs", "xml", "$comment",
    ]

    /// Whether it takes a type of its own: an object with members, a choice, or an enumeration.
    fileprivate var isDeclared: Bool {
        self["properties"]?.pairs.isEmpty == false || (self["enum"]?.array?.count ?? 0) > 1
            || ((self["oneOf"] ?? self["anyOf"])?.array ?? []).count { $0["type"]?.string != "null" } > 1
            || self["allOf"] != nil
    }

    fileprivate var isSmall: Bool { (self["properties"]?.pairs.count ?? self["enum"]?.array?.count ?? 3) < 3 }
}
