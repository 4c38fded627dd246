import Foundation

/// From the keywords of a schema to its checks.
extension SchemaTable {
    private var isOpenAPI30: Bool { dialect == .openAPI30 }

    mutating func compiled(_ node: Node) -> CompiledSchema {
        if node.json == .bool(false) { return CompiledSchema(pointer: node.pointer, checks: [.nothing]) }
        if isOpenAPI30, let reference = node.text("$ref") {
            return CompiledSchema(pointer: node.pointer, checks: [.reference(number(of: reference, from: node))])
        }
        let checks = scalars(node) + combinations(node) + objects(node) + arrays(node) + unevaluated(node)
        return CompiledSchema(pointer: node.pointer, checks: checks, acceptsNull: acceptsNull(node))
    }

    /// Whether it is `nullable`, or a part of `allOf` is that says nothing else of the value.
    private func acceptsNull(_ node: Node) -> Bool {
        guard dialect != .jsonSchema else { return false }
        let parts = node["allOf"]?.elements.filter { $0["type"] == nil && $0["$ref"] == nil } ?? []
        return ([node] + parts).contains { $0.flag("nullable") }
    }

    // MARK: Values of their own

    private static let numberRules: [(String, String, @Sendable (ExactNumber, ExactNumber) -> Bool)] = [
        ("multipleOf", "a multiple of ", { $1.digits.isEmpty || $0.isMultiple(of: $1) }),
        ("maximum", "at most ", { $0 <= $1 }), ("exclusiveMaximum", "less than ", { $0 < $1 }),
        ("minimum", "at least ", { $0 >= $1 }), ("exclusiveMinimum", "more than ", { $0 > $1 }),
    ]

    private mutating func scalars(_ node: Node) -> [Check] {
        var checks: [Check] = []
        if let type = node["type"]?.json {
            let names = type.array ?? [type]
            let types = names.compactMap { $0.string.flatMap(JSONType.init) }
            if !types.isEmpty, types.count == names.count {
                checks.append(.types(JSONTypes(types)))
            } else {
                warnings.append(Warning(pointer: "\(node.pointer)/type", text: "\(type.shortened()) is no type"))
            }
        }
        if let values = node["enum"]?.json.array { checks.append(.constants(Constants(values, keyword: "enum"))) }
        if !isOpenAPI30, let value = node.json["const"] {
            checks.append(.constants(Constants([value], keyword: "const")))
        }
        for (keyword, words, fits) in Self.numberRules {
            guard case .number(let digits)? = node.json[keyword], let limit = ExactNumber(digits) else { continue }
            // In 3.0, “exclusiveMinimum: true” makes the minimum exclusive.
            let exclusive = Self.numberRules.first { $0.0 == "exclusive\(keyword.capitalized)" && node.flag($0.0) }
            let (words, fits) = exclusive.map { ($0.1, $0.2) } ?? (words, fits)
            checks.append(
                .number(Rule(keyword: keyword, expected: "\(words)\(digits.shortened())") { fits($0, limit) })
            )
        }
        // Of a file in a form, no text is compared.
        if node.text("format") != "binary" { checks += counts("Length", node).map { .characters($0) } }
        if let source = node.text("pattern"), let pattern = pattern(source, node) {
            checks.append(.pattern(pattern, source: source))
        }
        if dialect != .jsonSchema, let format = node.text("format").flatMap(Format.init) {
            checks.append(.format(format))
        }
        return checks
    }

    /// The limits of a count: `minItems` and `maxItems`.
    private func counts(_ what: String, _ node: Node) -> [Rule<Int>] {
        var rules: [Rule<Int>] = []
        if let limit = node.json["max\(what)"]?.integer {
            rules.append(Rule(keyword: "max\(what)", expected: "at most \(limit)") { $0 <= limit })
        }
        if let limit = node.json["min\(what)"]?.integer {
            rules.append(Rule(keyword: "min\(what)", expected: "at least \(limit)") { $0 >= limit })
        }
        return rules
    }

    // MARK: Combinations

    private mutating func combinations(_ node: Node) -> [Check] {
        var checks: [Check] = []
        for keyword in ["$ref", "$dynamicRef"] {
            if let reference = node.text(keyword) { checks.append(.reference(number(of: reference, from: node))) }
        }
        if let parts = node["allOf"]?.elements, !parts.isEmpty { checks.append(.all(numbers(of: parts))) }
        for keyword in ["anyOf", "oneOf"] {
            guard let nodes = node[keyword]?.elements, !nodes.isEmpty else { continue }
            var variants = Variants(keyword: keyword, schemas: numbers(of: nodes), isOne: keyword == "oneOf")
            variants.discriminator = discriminator(of: node, variants: nodes)
            checks.append(.variants(variants))
        }
        if node["anyOf"] == nil, node["oneOf"] == nil, let discriminator = discriminatorOfExtensions(of: node) {
            checks.append(.variants(Variants(keyword: "discriminator", schemas: [], discriminator: discriminator)))
        }
        if let excluded = node["not"] { checks.append(.not(number(of: excluded))) }
        if !isOpenAPI30, let condition = node["if"] {
            let (then, otherwise) = (node["then"].map { number(of: $0) }, node["else"].map { number(of: $0) })
            checks.append(.condition(if: number(of: condition), then: then, else: otherwise))
        }
        return checks
    }

    // MARK: Objects

    private mutating func objects(_ node: Node) -> [Check] {
        var checks: [Check] = counts("Properties", node).map { .members($0) }
        let names = required(node)
        if !names.isEmpty { checks.append(.required(names)) }
        var properties = Properties()
        for (name, child) in node["properties"]?.members ?? [] {
            properties.named[name] = number(of: child)
            properties.isDescribing = true
            if child["const"] != nil || child["enum"] != nil { properties.constants.append((name, number(of: child))) }
        }
        if let others = node["additionalProperties"] {
            properties.others = number(of: others)
            properties.isClosed = others.json == .bool(false)
        }
        if !isOpenAPI30 {
            for (source, child) in node["patternProperties"]?.members ?? [] {
                if let pattern = pattern(source, node) {
                    properties.patterns.append((pattern, number(of: child)))
                } else {
                    (properties.others, properties.isClosed) = (0, false)
                }
            }
        }
        if properties.others == nil, dialect != .jsonSchema {
            for member in names where properties.named[member.name] == nil { properties.named[member.name] = 0 }
        }
        if !properties.named.isEmpty || !properties.patterns.isEmpty || properties.others != nil {
            checks.append(.properties(properties))
        }
        guard !isOpenAPI30 else { return checks }
        let dependent = (node["dependentRequired"]?.json.pairs ?? []).map { name, others in
            (name: name, others: (others.array ?? []).compactMap(\.string))
        }
        if !dependent.isEmpty { checks.append(.dependentRequired(dependent)) }
        var schemas: [(name: String, schema: Int)] = []
        for (name, child) in node["dependentSchemas"]?.members ?? [] { schemas.append((name, number(of: child))) }
        if !schemas.isEmpty { checks.append(.dependentSchemas(schemas)) }
        if let names = node["propertyNames"] { checks.append(.propertyNames(number(of: names))) }
        return checks
    }

    // MARK: Arrays

    private mutating func arrays(_ node: Node) -> [Check] {
        var checks: [Check] = counts("Items", node).map { .elements($0) }
        if node.flag("uniqueItems") { checks.append(.uniqueItems) }
        let first = isOpenAPI30 ? [] : node["prefixItems"]?.elements ?? []
        let others = node["items"]
        if !first.isEmpty || others != nil {
            checks.append(.items(first: numbers(of: first), others: others.map { number(of: $0) }))
        }
        if !isOpenAPI30, let content = node["contains"] {
            let least = node.json["minContains"]?.integer ?? 1
            let most = node.json["maxContains"]?.integer ?? .max
            let number = number(of: content)
            checks.append(
                .contains(number, Rule(keyword: "contains", expected: "at least \(least)") { $0 >= least })
            )
            if most < .max {
                checks.append(
                    .contains(number, Rule(keyword: "maxContains", expected: "at most \(most)") { $0 <= most })
                )
            }
        }
        return checks
    }

    private mutating func unevaluated(_ node: Node) -> [Check] {
        guard !isOpenAPI30 else { return [] }
        let items = node["unevaluatedItems"].map { Check.unevaluatedItems(number(of: $0)) }
        let properties = node["unevaluatedProperties"].map { Check.unevaluatedProperties(number(of: $0)) }
        if items != nil || properties != nil { hasUnevaluated = true }
        return [items, properties].compactMap(\.self)
    }
}
