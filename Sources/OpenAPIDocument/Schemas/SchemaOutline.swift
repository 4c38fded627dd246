/// What a schema allows.
package struct SchemaOutline: Sendable {
    package var types = Set(JSONType.allCases)
    /// The schemas of members with a name.
    package var members: [String: Node] = [:]
    package var allowsOtherMembers = true
    /// The schema of elements.
    package var items: Node?
}

extension SchemaTable {
    /// What a schema and all that it is made of allow. Of variants, what any of them does.
    mutating func outline(of schema: Node) -> SchemaOutline {
        var seen: Set<String> = []
        return outline(of: schema, seen: &seen)
    }

    private mutating func outline(of node: Node, seen: inout Set<String>) -> SchemaOutline {
        var result = SchemaOutline()
        // Not for one that is part of itself, or of too many others.
        guard seen.count < 40, seen.insert(node.pointer).inserted else { return result }
        defer { seen.remove(node.pointer) }
        var parts: [SchemaOutline] = []
        if let target = node.text("$ref").flatMap({ references.target(of: $0, from: node.pointer) }) {
            parts.append(outline(of: target, seen: &seen))
        }
        if dialect != .openAPI30 || node.text("$ref") == nil {
            parts.append(own(node))
            for part in node["allOf"]?.elements ?? [] { parts.append(outline(of: part, seen: &seen)) }
            for keyword in ["anyOf", "oneOf"] {
                guard let variants = node[keyword]?.elements, !variants.isEmpty else { continue }
                parts.append(Self.union(variants.map { outline(of: $0, seen: &seen) }))
            }
        }
        for part in parts {
            result.types.formIntersection(part.types)
            result.members.merge(part.members) { first, _ in first }
            result.allowsOtherMembers = result.allowsOtherMembers && part.allowsOtherMembers
            result.items = result.items ?? part.items
        }
        if dialect != .jsonSchema, node.flag("nullable") { result.types.insert(.null) }
        return result
    }

    private func own(_ node: Node) -> SchemaOutline {
        var own = SchemaOutline()
        if let type = node["type"]?.json {
            let types = (type.array ?? [type]).compactMap { $0.string.flatMap(JSONType.init) }
            if !types.isEmpty { own.types = Set(types) }
            if types.contains(.number) { own.types.insert(.integer) }
        }
        for (name, member) in node["properties"]?.members ?? [] { own.members[name] = member }
        own.allowsOtherMembers = node["additionalProperties"]?.json != .bool(false)
        own.items = node["items"]
        return own
    }

    private static func union(_ variants: [SchemaOutline]) -> SchemaOutline {
        var result = SchemaOutline(types: [], allowsOtherMembers: false)
        for variant in variants {
            result.types.formUnion(variant.types)
            result.members.merge(variant.members) { first, _ in first }
            result.allowsOtherMembers = result.allowsOtherMembers || variant.allowsOtherMembers
            result.items = result.items ?? variant.items
        }
        return result
    }
}
