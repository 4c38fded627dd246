/// The types and members that a schema allows.
package struct SchemaOutline: Sendable {
    package var types = Set(JSONType.allCases)
    /// The schemas of members with a name.
    package var members: [String: Node] = [:]
    /// Whether the schema says that there may be members of other names, and not only lets them be.
    package var takesOtherMembers = false
    /// The schema of elements.
    package var items: Node?
}

extension SchemaTable {
    /// Those of a schema with all its parts. Of variants, those of any of them.
    mutating func outline(of schema: Node) -> SchemaOutline {
        if let known = outlines[schema.pointer] { return known }
        var known: [String: SchemaOutline] = [:]
        var result = outline(of: schema, &known, depth: 0)
        result.takesOtherMembers = result.takesOtherMembers || result.members.isEmpty
        outlines[schema.pointer] = result
        return result
    }

    private mutating func outline(
        of node: Node,
        _ known: inout [String: SchemaOutline],
        depth: Int
    ) -> SchemaOutline {
        // Of one that is part of itself, or of too many others, nothing is known.
        if let outline = known[node.pointer] { return outline }
        var result = SchemaOutline()
        known[node.pointer] = result
        guard depth < 40 else { return result }
        defer { known[node.pointer] = result }
        var parts: [SchemaOutline] = []
        if let target = node.text("$ref").flatMap({ references.target(of: $0, from: node.pointer) }) {
            parts.append(outline(of: target, &known, depth: depth + 1))
        }
        if dialect != .openAPI30 || node.text("$ref") == nil {
            parts.append(own(node))
            for part in node["allOf"]?.elements ?? [] {
                parts.append(outline(of: part, &known, depth: depth + 1))
            }
            for keyword in ["anyOf", "oneOf"] {
                guard let variants = node[keyword]?.elements, !variants.isEmpty else { continue }
                parts.append(Self.union(variants.map { outline(of: $0, &known, depth: depth + 1) }))
            }
        }
        for part in parts {
            result.types.formIntersection(part.types)
            result.members.merge(part.members) { first, _ in first }
            result.takesOtherMembers = result.takesOtherMembers || part.takesOtherMembers
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
        let other = node["additionalProperties"]?.json
        own.takesOtherMembers = other.map { $0 != .bool(false) } ?? false
        own.items = node["items"]
        return own
    }

    private static func union(_ variants: [SchemaOutline]) -> SchemaOutline {
        var result = SchemaOutline(types: [])
        for variant in variants {
            result.types.formUnion(variant.types)
            result.members.merge(variant.members) { first, _ in first }
            result.takesOtherMembers = result.takesOtherMembers || variant.takesOtherMembers
            result.items = result.items ?? variant.items
        }
        return result
    }
}
