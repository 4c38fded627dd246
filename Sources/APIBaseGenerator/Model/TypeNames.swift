import OpenAPIDocument

/// The names of the types that are not nested: of leaves, and of schemas by their pointers.
///
/// They are given to all that the document has, so that choosing fewer operations changes no name.
struct TypeNames {
    private let api: String
    /// Without case, since most of them are the names of files too.
    private var taken: NameTable
    private var names: [String: String] = [:]
    /// Those of nested types, which hide a type of the same name.
    private var nested: Set<String> = []

    /// The words that types without a schema add to the name of the API.
    private static let endings = ["API", "Document", "Examples", "ExamplesTests"]

    /// - Parameters:
    ///   - api: The name of the API, which goes before names that Swift or the kit have.
    ///   - leaves: The names of the leaves.
    ///   - schemas: The pointers and names of the schemas, in their order.
    ///   - overrides: Names from the settings, by the names of schemas.
    init(api: String, leaves: [String], schemas: [(pointer: String, name: String)], overrides: [String: String]) {
        self.api = api
        taken = NameTable(taken: Set(leaves + Self.endings.map { api + $0 }), ignoringCase: true)
        let wanted = schemas.map { schema in
            overrides[schema.name] ?? Self.unreserved(Identifier.type(schema.name, fallback: "\(api)Value"), api)
        }
        // A schema that has its name as it stands comes before those that become it.
        let order = schemas.indices.sorted { first, second in
            let (isExact, isOther) = (schemas[first].name == wanted[first], schemas[second].name == wanted[second])
            return isExact != isOther ? isExact : first < second
        }
        let leafNames = Set(leaves.map { $0.lowercased() })
        for index in order {
            let isLeaf = leafNames.contains(wanted[index].lowercased())
            names[schemas[index].pointer] = taken.take(isLeaf ? Self.beside(leaf: wanted[index]) : wanted[index])
        }
    }

    /// The name of the schema at a pointer, which gets one if it has none.
    mutating func name(of pointer: String) -> String {
        if let name = names[pointer] { return name }
        let parts = pointer.split(separator: "/").map { String($0).unescapedFromPointer }
        let noise: Set<String> = ["#", "components", "schemas", "properties", "content", "schema", "items", "paths"]
        let words = parts.filter { !noise.contains($0) && Int($0) == nil }.suffix(3).joined(separator: " ")
        let name = take(Identifier.type(words))
        names[pointer] = name
        return name
    }

    /// A name for a type that is not nested.
    mutating func take(_ wanted: String) -> String {
        let base = Self.unreserved(wanted, api)
        return taken.take(taken.contains(base) || nested.contains(base) ? "\(base)Item" : base)
    }

    /// The first of two names for a type that is not nested that is not taken.
    mutating func take(_ wanted: String, orElse other: String) -> String {
        let base = Self.unreserved(wanted, api)
        return take(taken.contains(base) || nested.contains(base) ? other : base)
    }

    /// A name for a nested type, which must hide no other type.
    mutating func takeNested(_ wanted: String, in scope: Scope) -> String {
        func isHiding(_ name: String) -> Bool {
            taken.contains(name) || scope.path.contains(name)
                || ReservedNames.types.contains(name) && !["Body", "Reply", "Event"].contains(name)
        }
        let wanted = wanted == "Type" ? "Kind" : wanted
        var name = scope.names.take(isHiding(wanted) ? "\(wanted)Value" : wanted)
        while isHiding(name) { name = scope.names.take("\(wanted)Value") }
        nested.insert(name)
        return name
    }

    /// The name of a schema that is called as a leaf: mostly, it is the body that the leaf sends.
    private static func beside(leaf name: String) -> String {
        name.hasSuffix("Request") ? "\(name.dropLast(7))Body" : "\(name)Model"
    }

    private static func unreserved(_ name: String, _ api: String) -> String {
        ReservedNames.types.contains(name) || name == api ? "\(api)\(name)" : name
    }
}
