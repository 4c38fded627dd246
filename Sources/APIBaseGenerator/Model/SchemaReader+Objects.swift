import OpenAPIDocument

/// Objects: their members, also those that `allOf` gathers.
extension SchemaReader {
    /// The members of an object from all the schemas that describe it.
    struct Gathered {
        struct Member {
            let key: String
            var nodes: [Node]
            /// Whether only one of several choices has it.
            var isFromChoice: Bool
        }

        var members: [Member] = []
        var places: [String: Int] = [:]
        var required: Set<String> = []
        var additional: Node?
        /// The references that are being followed.
        var depth = 0
    }

    /// The schemas that hold together by `allOf`, with what stands beside it; empty without `allOf`.
    func parts(of node: Node) -> [Node] {
        guard let all = node["allOf"] else { return [] }
        let own = node.without(["allOf", "discriminator"])
        let others = all.elements.filter { !$0.isOnlyAnnotation }
        let ownSaysMore = own.json.object?.names.contains {
            ["properties", "enum", "items", "oneOf", "anyOf"].contains($0)
        }
        let ownRequires = own["required"] != nil && !others.isEmpty
        let parts = others + (ownSaysMore == true || ownRequires ? [own] : [])
        return parts.isEmpty ? [own] : parts
    }

    /// The type of what all the parts describe.
    func combination(of parts: [Node], _ node: Node, at place: Place) -> Reading {
        // A kind that adds nothing to its base.
        let base = parts.count == 1 ? document.resolved(parts[0]) : nil
        let isKind =
            base.map { $0["discriminator"] != nil && document.extensions(of: $0.pointer).contains(node.pointer) }
            ?? false
        if parts.count == 1, !isKind, parts[0].pointer != node.pointer || parts[0]["allOf"] == nil {
            return read(parts[0], at: place)
        }
        var seen: Set<String> = []
        if parts.contains(where: { isObject($0, &seen) }) { return Reading(type: structure(node, at: place)) }
        // The narrowest: an enumeration before a text, anything before what can be everything, and later ones first.
        if let listed = narrowest(of: parts) {
            let isNullable = parts.allSatisfy { $0.isNullable || document.resolved($0)?.isNullable == true }
            return Reading(type: read(listed, at: place).type, isNullable: isNullable)
        }
        let readings = parts.map { read($0, at: place) }
        let chosen =
            readings.last { $0.type.declaration != nil } ?? readings.last { $0.type != .json }
            ?? Reading(type: .json)
        return Reading(type: chosen.type, isNullable: readings.allSatisfy(\.isNullable))
    }

    /// The last part that lists its values, or one that has a name and lists the same.
    private func narrowest(of parts: [Node]) -> Node? {
        func values(of part: Node) -> Set<JSON> { Set(document.resolved(part)?.knownValues ?? []) }
        guard let last = parts.last(where: { !values(of: $0).isEmpty }) else { return nil }
        return parts.first { $0["$ref"] != nil && values(of: $0) == values(of: last) } ?? last
    }

    /// Whether a schema describes an object with members.
    func isObject(_ node: Node, _ seen: inout Set<String>) -> Bool {
        if let reference = node.text("$ref") {
            guard let target = document.target(of: reference, at: node.pointer), seen.insert(target.pointer).inserted,
                seen.count < Self.referenceLimit
            else { return false }
            return isObject(target, &seen)
        }
        if node.type == .one("object") || node["properties"] != nil { return true }
        let inner = (node["allOf"]?.elements ?? []) + ((node["oneOf"] ?? node["anyOf"])?.elements ?? [])
        return inner.contains { isObject($0, &seen) }
    }

    /// Declares a struct, whose members are read later.
    func structure(_ node: Node, at place: Place) -> SwiftType {
        if isTooLarge { return .json }
        let gathered = gathered(node)
        count(gathered.members.count)
        guard !gathered.members.isEmpty else {
            guard let values = gathered.additional, values.json.bool == nil else { return .dictionary(.json) }
            return .dictionary(once(values) { read(values, at: place.element) }.optionalType)
        }
        let kinds = kinds(of: node)
        if !kinds.isEmpty { return choiceType(kinds, node, at: place) }
        return declare(node, at: place, .structure(Structure())) { declaration in
            declaration.kind = .structure(self.structure(of: gathered, in: declaration))
        }
    }

    func gathered(_ node: Node) -> Gathered {
        var gathered = Gathered()
        var seen: Set<String> = [node.pointer]
        gather(node, into: &gathered, &seen, isChoice: false)
        return gathered
    }

    private func gather(_ node: Node, into gathered: inout Gathered, _ seen: inout Set<String>, isChoice: Bool) {
        if let reference = node.text("$ref") {
            guard let target = document.target(of: reference, at: node.pointer) else { return }
            guard seen.insert(target.pointer).inserted else {
                warn(node, "“\(reference)” is a part of itself, and is not followed again")
                return
            }
            gathered.depth += 1
            defer {
                seen.remove(target.pointer)
                gathered.depth -= 1
            }
            // What several parts refer to is the same for all of them.
            guard seen.insert("\(target.pointer) \(isChoice)").inserted, gathered.depth < Self.referenceLimit else {
                return
            }
            return gather(target, into: &gathered, &seen, isChoice: isChoice)
        }
        for part in node["allOf"]?.elements ?? [] { gather(part, into: &gathered, &seen, isChoice: isChoice) }
        for variant in variantsBesideKinds(of: node) where !variant.isOnlyCondition {
            gather(variant, into: &gathered, &seen, isChoice: true)
        }
        for (key, property) in node["properties"]?.members ?? [] {
            if let place = gathered.places[key] {
                gathered.members[place].nodes.append(property)
                if isChoice { gathered.members[place].isFromChoice = true }
            } else {
                gathered.places[key] = gathered.members.count
                gathered.members.append(.init(key: key, nodes: [property], isFromChoice: isChoice))
            }
        }
        if !isChoice { gathered.required.formUnion((node["required"]?.json.array ?? []).compactMap(\.string)) }
        if let others = node.otherMembers { gathered.additional = others }
    }

    private func structure(of gathered: Gathered, in declaration: Declaration) -> Structure {
        var names = NameTable(taken: ReservedNames.properties)
        var structure = Structure()
        let plain = Set(gathered.members.map(\.key))
        for member in gathered.members {
            let node = node(of: member)
            let wanted = Identifier.member(member.key)
            let base = ReservedNames.properties.contains(wanted) ? "\(wanted)Value" : wanted
            // A name that another member has as it stands belongs to that one.
            let name = names.take(base, except: base == member.key ? [] : plain)
            let place = Place(name: Identifier.type(member.key), scope: declaration.scope)
            let reading = read(node, at: place)
            let isOneWay = member.nodes.contains { self.isOneWay($0, in: declaration) }
            let isRequired = gathered.required.contains(member.key) && !isOneWay
            structure.properties.append(
                Structure.Property(
                    key: member.key,
                    name: name,
                    type: reading.type,
                    isRequired: isRequired,
                    // Anything may be null, and a value of any JSON that has to be there has a null of its own.
                    isNullable: reading.type == .json ? !isRequired : reading.isNullable,
                    documentation: node.documentation ?? member.nodes[0].documentation,
                    format: node.text("format")
                )
            )
        }
        if let additional = gathered.additional {
            let place = Place(name: "AdditionalProperty", scope: declaration.scope)
            structure.additional = additional.json.bool != nil ? .json : read(additional, at: place).optionalType
            structure.additionalName = names.take("additionalProperties")
        }
        return structure
    }

    /// One schema for a member that several schemas describe.
    private func node(of member: Gathered.Member) -> Node {
        var seen: Set<JSON> = []
        let nodes = member.nodes.filter { seen.insert($0.json).inserted }
        guard let last = nodes.last, nodes.count > 1 else { return member.nodes[0] }
        let keyword = member.isFromChoice ? "anyOf" : "allOf"
        return Node(json: .members([(keyword, .array(nodes.map(\.json)))]), pointer: last.pointer)
    }
}
