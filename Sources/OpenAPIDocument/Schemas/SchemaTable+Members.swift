/// What the checks of a schema have to know of its members' schemas.
extension SchemaTable {
    // MARK: Directions

    /// The direction in which a required member need not be sent.
    mutating func optionalDirection(_ name: String, of node: Node) -> Direction? {
        guard dialect != .jsonSchema, let property = property(name, of: node) else { return nil }
        let parts = parts(of: property)
        if parts.contains(where: { $0.flag("readOnly") }) { return .request }
        return parts.contains { $0.flag("writeOnly") } ? .reply : nil
    }

    /// The schema of a member: in the schema itself or a part, or else in a schema of which it is a part or a variant.
    private mutating func property(_ name: String, of node: Node) -> Node? {
        var node = node
        while true {
            if let own = node["properties"]?[name] { return own }
            for part in parts(of: node).dropFirst() {
                if let inherited = part["properties"]?[name] { return inherited }
            }
            let path = node.pointer.split(separator: "/")
            guard path.count > 2, ["allOf", "anyOf", "oneOf"].contains(path[path.count - 2]) else { return nil }
            guard let outer = references.node(at: path.dropLast(2).joined(separator: "/")) else { return nil }
            node = outer
        }
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
                let member = part["properties"]?[result.name]
                return [member?.json["const"]].compactMap { $0?.string }
                    + (member?.json["enum"]?.array ?? []).compactMap(\.string)
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

    /// The discriminator of a schema without variants: it names one of those that have it as a part.
    mutating func discriminatorOfExtensions(of node: Node) -> Variants.Discriminator? {
        guard var result = mapping(of: node) else { return nil }
        result.isComplete = false
        for (name, schema) in references.root["components"]?["schemas"]?.members ?? [] {
            guard result.schemas[name] == nil, schema["allOf"] != nil else { continue }
            if parts(of: schema).dropFirst().contains(where: { $0.pointer == node.pointer }) {
                result.schemas[name] = number(of: schema)
            }
        }
        return result
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
