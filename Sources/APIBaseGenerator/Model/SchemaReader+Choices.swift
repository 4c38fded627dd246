import OpenAPIDocument

/// `oneOf` and `anyOf`.
extension SchemaReader {
    func choice(of variants: [Node], _ node: Node, at place: Place) -> Reading {
        let isNullable = variants.contains(where: \.isNull)
        var seen: Set<JSON> = []
        let kept = variants.filter { !$0.isNull && seen.insert($0.json).inserted }
        guard let first = kept.first else { return Reading(type: .json, isNullable: isNullable) }
        if kept.count == 1 {
            let reading = read(first, at: place)
            return Reading(type: reading.type, isNullable: isNullable || reading.isNullable)
        }
        return Reading(type: choiceType(kept, node, at: place), isNullable: isNullable)
    }

    /// The schemas that have a base among their parts, if its discriminator tells them apart (OpenAPI 3.0, “Models with
    /// Polymorphism Support”).
    func kinds(of base: Node) -> [Node] {
        let isBase = base["discriminator"]?.text("propertyName") != nil && base["oneOf"] == nil && base["anyOf"] == nil
        guard isBase else { return [] }
        let mapped = (base["discriminator"]?["mapping"]?.members ?? []).compactMap { target(ofMapping: $0.node) }
        let pointers = (document.extensions(of: base.pointer) + mapped).unique().filter { $0 != base.pointer }
        return pointers.map { Node(json: .members([("$ref", .string($0))]), pointer: base.pointer) }
    }

    /// The variants of a choice. Those that have the choice itself among their parts are left out: they are its kinds.
    func variantsBesideKinds(of node: Node) -> [Node] {
        if node["discriminator"] == nil { return (node["oneOf"] ?? node["anyOf"])?.elements ?? [] }
        // Each kind asks, of which a document may have thousands.
        if let known = besideKinds[node.pointer] { return known }
        let kinds = Set(document.extensions(of: node.pointer))
        let variants = (node["oneOf"] ?? node["anyOf"])?.elements ?? []
        let others = variants.filter { variant in variant.text("$ref").map { !kinds.contains($0) } ?? true }
        besideKinds[node.pointer] = others
        return others
    }

    /// Whether a value may be of several variants at once: objects that need no member, and none that tells them apart.
    func mayFitTogether(_ variants: [Node]) -> Bool {
        let variants = variants.filter { !$0.isNull }
        let resolved = variants.compactMap { document.resolved($0) }
        let isLoose = resolved.allSatisfy { schema in
            schema["properties"] != nil && schema["required"]?.elements.isEmpty != false
                && ["allOf", "oneOf", "anyOf"].allSatisfy { schema[$0] == nil }
        }
        return isLoose && resolved.count == variants.count && resolved.count > 1
            && impliedDiscriminator(resolved) == nil
    }

    func choiceType(_ variants: [Node], _ node: Node, at place: Place) -> SwiftType {
        let resolved = variants.compactMap { document.resolved($0) }
        if resolved.count < variants.count || resolved.contains(where: { $0.isOnlyAnnotation }) { return .json }
        if resolved.allSatisfy(\.isPlainText) {
            let values = resolved.flatMap { $0.knownValues ?? [] }
            let isOpen = resolved.contains { $0.knownValues?.isEmpty != false }
            return values.isEmpty ? .string : declare(values, .string, node, at: place, isOpen: isOpen)
        }
        if resolved.allSatisfy({ [.one("integer"), .one("number")].contains($0.type) && $0.knownValues == nil }) {
            return resolved.contains { $0.type == .one("number") } ? .double : .int
        }
        var discriminator = discriminator(of: node, variants, resolved)
        if discriminator?.isUniform == false {
            warn(node, "the values of the discriminator are not of one type, so the first variant that fits is taken")
            discriminator = nil
        }
        count(variants.count)
        return declare(node, at: place, .union(Union(discriminator: discriminator?.path))) { declaration in
            declaration.kind = .union(
                Union(discriminator: discriminator?.path, cases: self.cases(variants, discriminator, in: declaration))
            )
        }
    }

    private func cases(_ variants: [Node], _ discriminator: Discriminator?, in declaration: Declaration) -> [Union.Case]
    {
        var names = NameTable(taken: ["other", "init", "self"])
        var cases: [Union.Case] = []
        var places: [SwiftType: Int] = [:]
        for (index, variant) in variants.enumerated() {
            let tags = discriminator?.tags[index] ?? []
            let values = (tags + (variant.knownValues ?? [])).compactMap(\.text).map { $0.isEmpty ? "Empty" : $0 }
            let title = variant.text("title") ?? (values.count == 1 || !tags.isEmpty ? values.first : nil)
            let name = title ?? "Variant\(index + 1)"
            let type = read(variant, at: Place(name: Identifier.type(name), scope: declaration.scope)).type
            if let place = places[type] {
                cases[place].tags = (cases[place].tags + tags).unique()
            } else if type != .json {
                places[type] = cases.count
                cases.append(Union.Case(name: names.take(type.caseName), type: type, tags: tags))
            }
        }
        return cases
    }

    // MARK: Discriminators

    /// The member that tells the variants apart, with its values for each of them.
    struct Discriminator {
        let path: [String]
        let tags: [[JSON]]

        /// The number of variants that it tells apart.
        var count: Int { tags.count { !$0.isEmpty } }

        /// Whether all values are texts, or all are integers.
        var isUniform: Bool {
            let all = tags.flatMap(\.self)
            return all.allSatisfy { $0.string != nil } || all.allSatisfy { $0.isNumber && $0.integer != nil }
        }
    }

    private func discriminator(of node: Node, _ variants: [Node], _ resolved: [Node]) -> Discriminator? {
        if let named = node["discriminator"], let key = named.text("propertyName") {
            let mapping = Dictionary(grouping: named["mapping"]?.members ?? []) { self.target(ofMapping: $0.node) }
            let all = resolved.map(gathered)
            let known = all.map { knownValues(of: key, in: $0) }
            // A list of all kinds, which each has from its base, tells none apart.
            let isShared = Set(known.flatMap(\.self)).count < known.joined().count
            for (target, each) in zip(resolved, all) where !each.members.isEmpty && each.places[key] == nil {
                warn(target, "“\(key)”, which tells it apart, is no member of it: it is read, and not sent")
            }
            return Discriminator(
                path: [key],
                tags: resolved.indices.map { index in
                    let pointer = resolved[index].pointer
                    if let mapped = mapping[pointer] { return mapped.map { .string($0.name) } }
                    if !known[index].isEmpty, !isShared || known[index].count == 1 { return known[index] }
                    let name = pointer.split(separator: "/").last.map { String($0).unescapedFromPointer }
                    return variants[index]["$ref"] == nil ? [] : [.string(name ?? "")]
                }
            )
        }
        return impliedDiscriminator(resolved)
    }

    private func target(ofMapping node: Node) -> String? {
        guard let text = node.json.string else { return nil }
        let reference = text.contains("/") ? text : "#/components/schemas/\(text.escapedForPointer)"
        return document.target(of: reference, at: node.pointer)?.pointer
    }

    /// A member that has other known values in each variant that lists them, or one of an object a level deeper: that of
    /// most variants. The others are tried.
    private func impliedDiscriminator(_ resolved: [Node], isInner: Bool = false) -> Discriminator? {
        // Several variants with one schema are never told apart.
        guard Set(resolved.map(\.pointer)).count == resolved.count else { return nil }
        let all = resolved.map(gathered)
        let keys = all.flatMap { $0.members.map(\.key) }
        let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
        var found: [Discriminator] = []
        // A member of one variant tells no others apart.
        for key in keys.unique() where counts[key] ?? 0 > 1 {
            let tags = all.map { knownValues(of: key, in: $0) }
            let values = tags.flatMap(\.self)
            if Set(values).count == values.count { found.append(Discriminator(path: [key], tags: tags)) }
            if isInner { continue }
            let inner = all.enumerated().map { index, each in
                each.places[key].flatMap { document.resolved(each.members[$0].nodes[0]) }
                    ?? Node(json: .null, pointer: "no member of \(index)")
            }
            if let deeper = impliedDiscriminator(inner, isInner: true) {
                found.append(Discriminator(path: [key] + deeper.path, tags: deeper.tags))
            }
        }
        return found.filter { $0.isUniform && $0.count > 1 }.max {
            ($0.count, $1.path.count) < ($1.count, $0.path.count)
        }
    }

    /// The values that a member of an object can have, if its schema lists them.
    private func knownValues(of key: String, in gathered: Gathered) -> [JSON] {
        let nodes = gathered.places[key].map { gathered.members[$0].nodes } ?? []
        return nodes.reversed().lazy.compactMap { self.document.resolved($0)?.knownValues }.first ?? []
    }

    /// The names of the members that an object can have.
    func memberNames(of node: Node) -> Set<String> { Set(gathered(node).members.map(\.key)) }
}

extension Node {
    /// Whether it is a text without a format that has a type of its own.
    fileprivate var isPlainText: Bool {
        if let values = knownValues, !values.isEmpty { return values.allSatisfy { $0.string != nil } }
        return type == .one("string") && !["date-time", "byte"].contains(text("format"))
    }
}

extension SwiftType {
    /// The name of a case with such a value.
    fileprivate var caseName: String {
        switch self {
        case .string: "string"
        case .bool: "bool"
        case .int, .int64, .uint64: "integer"
        case .double: "number"
        case .date: "date"
        case .data, .file: "data"
        case .json, .void, .parts: "value"
        case .array(let element): element.caseName.hasSuffix("s") ? "\(element.caseName)List" : "\(element.caseName)s"
        case .dictionary: "dictionary"
        case .optional(let value): value.caseName
        case .declared(let declaration):
            // Some letters have no capitals.
            switch Identifier.member(declaration.name) {
            case declaration.name: "\(declaration.name)Case"
            case let name: name
            }
        }
    }
}
