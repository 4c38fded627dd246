import OpenAPIDocument

/// Enumerations, which stay open: a value that is not known is kept.
extension SchemaReader {
    /// The type of a schema with `enum` or `const`; `nil` for another one.
    func enumeration(_ node: Node, at place: Place) -> SwiftType? {
        guard let values = node.knownValues, !values.isEmpty else { return nil }
        if values.allSatisfy({ $0.string != nil }) { return declare(values, .string, node, at: place) }
        if node.type == .one("string") {
            // Written without quotation marks, but sent with them.
            return declare(values.compactMap(\.text).map(JSON.string), .string, node, at: place)
        }
        if values.allSatisfy({ $0.bool != nil }) { return .bool }
        if node.type == .one("number") || values.contains(where: \.isFraction) {
            return values.allSatisfy(\.isNumber) ? .double : .json
        }
        guard values.allSatisfy({ $0.integer != nil && $0.isNumber }) else {
            warn(node, "values of several types are read as any JSON")
            return .json
        }
        return declare(values, .int, node, at: place)
    }

    func declare(
        _ values: [JSON],
        _ raw: SwiftType,
        _ node: Node,
        at place: Place,
        isOpen: Bool = false
    ) -> SwiftType {
        var names = NameTable(taken: ReservedNames.constants)
        var constants: [Enumeration.Constant] = []
        var known: Set<JSON> = []
        let given = node.namesOfValues
        for value in values where known.insert(value).inserted {
            let text = given[value] ?? value.text ?? ""
            let wanted = Identifier.member(text, fallback: text.isEmpty ? "empty" : "blank")
            let base = ReservedNames.constants.contains(wanted) ? "\(wanted)Value" : wanted
            constants.append(Enumeration.Constant(name: names.take(base), value: value))
        }
        let isConst = node.json["const"] != nil
        let enumeration = Enumeration(raw: raw, constants: constants, isConst: isConst, isOpen: isOpen)
        return declare(node, at: place, .enumeration(enumeration))
    }
}

extension Node {
    /// The values of `enum` or `const` without null; `nil` if the schema has neither.
    var knownValues: [JSON]? {
        (json["enum"]?.array ?? json["const"].map { [$0] })?.filter { $0 != .null }
    }

    /// The names that a document gives to the values of `enum`.
    fileprivate var namesOfValues: [JSON: String] {
        let names = (json["x-enum-varnames"] ?? json["x-enumNames"] ?? json["x-enum-names"])?.array?.map(\.string) ?? []
        guard let values = json["enum"]?.array, values.count == names.count else { return [:] }
        return Dictionary(zip(values, names.map { $0 ?? "" }).filter { !Words($0.1).isEmpty }) { first, _ in first }
    }
}

extension JSON {
    var isNumber: Bool { if case .number = self { true } else { false } }
    fileprivate var isFraction: Bool { isNumber && integer == nil }
}
