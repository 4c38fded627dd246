/// The checks of the members of objects.
extension SchemaTable {
    // MARK: Directions

    /// The members that a schema requires, each with the direction in which it need not be sent.
    mutating func required(_ node: Node) -> [Required] {
        let names = (node["required"]?.json.array ?? []).compactMap(\.string)
        guard dialect != .jsonSchema, !names.isEmpty else { return names.map { Required(name: $0, isOptionalIn: nil) } }
        let described = related(to: node).compactMap { $0["properties"] }
        return names.map { name in
            let property = described.lazy.compactMap { $0[name] }.first
            let own = property.map { parts(of: $0) } ?? []
            if own.contains(where: { $0.flag("readOnly") }) { return Required(name: name, isOptionalIn: .request) }
            return Required(name: name, isOptionalIn: own.contains { $0.flag("writeOnly") } ? .reply : nil)
        }
    }

    /// The schema with its parts, and then the schemas of which it is a part or a variant.
    private mutating func related(to node: Node) -> [Node] {
        var related = parts(of: node)
        var pointer = node.pointer
        for _ in 0..<2 {
            let path = pointer.split(separator: "/")
            guard path.count > 2, ["allOf", "anyOf", "oneOf"].contains(path[path.count - 2]) else { break }
            pointer = path.dropLast(2).joined(separator: "/")
            related += references.node(at: pointer).map { parts(of: $0) } ?? []
        }
        return related
    }

    // MARK: Discriminators

    /// The names of variants: those of the mapping, those of the schemas, and the constants of their member.
    mutating func discriminator(of node: Node, variants: [Node]) -> Variants.Discriminator? {
        guard var result = mapping(of: node) else { return nil }
        var constants: [String: Int?] = [:]
        for variant in variants {
            let types = variant["type"]?.json
            if let types, !(types.array ?? [types]).contains("object") { continue }
            let names = parts(of: variant, withVariants: true).flatMap { part in
                let member = part["properties"]?[result.name].map { self.parts(of: $0) } ?? []
                let values = member.flatMap { $0.json["const"].map { [$0] } ?? $0.json["enum"]?.array ?? [] }
                return values.compactMap(\.string) + Self.variantNames(of: part)
            }
            let number = number(of: variant)
            let implicit = variant.text("$ref").flatMap { $0.split(separator: "/").last.map(String.init) }
            if let implicit, result.schemas[implicit] == nil { result.schemas[implicit] = number }
            if implicit == nil, names.isEmpty { result.isComplete = false }
            for name in Set(names) { constants[name] = constants[name] == nil ? .some(number) : .some(nil) }
        }
        for (name, number) in constants where result.schemas[name] == nil {
            // A constant of several variants names none.
            if let number { result.schemas[name] = number } else { result.isComplete = false }
        }
        return result
    }

    /// The names of the schemas that are variants of a schema.
    private static func variantNames(of node: Node) -> [String] {
        ["oneOf", "anyOf"].flatMap { node[$0]?.elements ?? [] }.compactMap { $0.text("$ref") }.map {
            $0.split(separator: "/").last.map(String.init) ?? ""
        }
    }

    /// The discriminator of a schema without variants: it names one of those that have it as a part.
    mutating func discriminatorOfExtensions(of node: Node) -> Variants.Discriminator? {
        guard var result = mapping(of: node) else { return nil }
        result.isComplete = false
        for (name, schema) in extensions()[node.pointer] ?? [] where result.schemas[name] == nil {
            result.schemas[name] = number(of: schema)
        }
        return result
    }

    /// The named schemas by the pointers of their parts.
    private mutating func extensions() -> [String: [(name: String, schema: Node)]] {
        if let known = namedExtensions { return known }
        var found: [String: [(name: String, schema: Node)]] = [:]
        for (name, schema) in references.root["components"]?["schemas"]?.members ?? [] where schema["allOf"] != nil {
            for part in parts(of: schema).dropFirst() { found[part.pointer, default: []].append((name, schema)) }
        }
        namedExtensions = found
        return found
    }

    private mutating func mapping(of node: Node) -> Variants.Discriminator? {
        guard dialect != .jsonSchema, let name = node["discriminator"]?.text("propertyName") else { return nil }
        var result = Variants.Discriminator(name: name)
        for (value, target) in node["discriminator"]?["mapping"]?.json.pairs ?? [] {
            guard let target = target.string else { continue }
            let named = references.root["components"]?["schemas"]?[target]
            result.schemas[value] = named.map { number(of: $0) } ?? number(of: target, from: node)
        }
        return result
    }
}
