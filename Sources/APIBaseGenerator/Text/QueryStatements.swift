/// The statements that set a parameter of a query in its style.
struct QueryStatements {
    /// `query`, or `self.query`.
    let owner: String

    func statements(_ parameter: Parameter, _ argument: LeafArguments.Argument) -> [String] {
        let name = argument.escapedName
        switch argument.type {
        case .array where !parameter.explodes || ["spaceDelimited", "pipeDelimited"].contains(parameter.style):
            let separator = ["spaceDelimited": " ", "pipeDelimited": "|"][parameter.style] ?? ","
            let value = argument.isRequired ? name : "\(name)?"
            return ["\(item(parameter.key)) = \(value).queryTexts.joined(separator: \"\(separator)\")"]
        case .array where parameter.style == "deepObject": return ["\(item("\(parameter.key)[]")) = \(name)"]
        case .dictionary:
            let pairs = argument.isRequired ? name : "(\(name) ?? [:])"
            let isDeep = parameter.style == "deepObject"
            let key = isDeep ? "\"\(Literal.escaped(parameter.key))[\\(key)]\"" : "key"
            return ["for (key, value) in \(pairs).sorted(by: <) { \(owner)[\(key)] = value }"]
        case .declared(let declaration) where declaration.structure != nil:
            let prefix = parameter.style == "deepObject" ? parameter.key : nil
            return statements(declaration, argument.isRequired ? name : "\(name)?", prefix)
        case .declared(let declaration) where declaration.union?.isPlain == false || !declaration.isQueryValue:
            guard let union = declaration.union else { return ["\(item(parameter.key)) = \(name)"] }
            return choice(union.cases, parameter, argument)
        default: return ["\(item(parameter.key)) = \(name)"]
        }
    }

    /// A statement for each variant of a choice.
    private func choice(_ cases: [Union.Case], _ parameter: Parameter, _ argument: LeafArguments.Argument) -> [String] {
        let mark = argument.isRequired ? "" : "?"
        let variants = cases.flatMap { element -> [String] in
            let value = LeafArguments.Argument(name: "value", type: element.type, isRequired: true, documentation: nil)
            let head = "case .\(element.escapedName)(let value)\(mark):"
            let statements = statements(parameter, value)
            if statements.isEmpty { return ["case .\(element.escapedName)\(mark): break"] }
            return statements.count == 1 ? ["\(head) \(statements[0])"] : [head] + statements.map { "    \($0)" }
        }
        let other = "case .other(let value)\(mark): \(item(parameter.key)) = value"
        return ["switch \(argument.escapedName) {"] + variants + [other]
            + (argument.isRequired ? [] : ["case nil: break"])
            + ["}"]
    }

    /// A statement for each property of an object: `query["filter[name]"] = filter?.name`.
    private func statements(_ declaration: Declaration, _ value: String, _ prefix: String?, depth: Int = 0) -> [String]
    {
        (declaration.structure?.properties ?? []).flatMap { property -> [String] in
            let key = prefix.map { "\($0)[\(property.key)]" } ?? property.key
            let path = "\(value).\(property.escapedName)"
            if property.type.isQueryValue { return ["\(item(key)) = \(path)"] }
            guard let inner = property.type.declaration, inner.structure != nil, depth < 3 else { return [] }
            return statements(inner, property.isOptional ? "\(path)?" : path, key, depth: depth + 1)
        }
    }

    private func item(_ key: String) -> String { "\(owner)[\(Literal.string(key))]" }
}

extension Union {
    /// Whether each value is one text.
    fileprivate var isPlain: Bool { cases.allSatisfy { if case .array = $0.type { false } else { true } } }
}
