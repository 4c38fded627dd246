import OpenAPIDocument

/// The parameters of a leaf's initializer.
struct LeafArguments {
    struct Argument {
        /// Whether every call has to give it.
        var isNeeded: Bool { isRequired && defaultValue == nil }

        /// The name inside of the initializer, which is the label too unless there is none.
        let name: String
        let type: SwiftType
        let isRequired: Bool
        var isUnlabeled = false
        /// The value of a required argument that is not given, in Swift.
        var defaultValue: String?
        let documentation: String?

        var escapedName: String { Identifier.escaped(name) }

        /// The parameter in the leaf, which sees its nested types by their own names.
        var declaration: String { declaration(type.text) }

        /// The parameter elsewhere.
        var qualifiedDeclaration: String { declaration(type.qualifiedText) }

        private func declaration(_ type: String) -> String {
            let label = isUnlabeled ? "_ " : ""
            let value = defaultValue.map { " = \($0)" } ?? ""
            return "\(label)\(escapedName): \(type)\(isRequired ? value : "? = nil")"
        }
    }

    /// In the order of the declaration: what is required comes first.
    let all: [Argument]
    /// Those of the operation's parameters, in their order.
    let parameters: [(parameter: Parameter, argument: Argument)]
    /// The one with the body.
    let body: Argument?
    /// Those with the parts of a form.
    let parts: [(part: RequestBody.Part, argument: Argument)]

    init(_ operation: Operation) {
        var names = NameTable(taken: operation.body.hasNamedParts ? ["parts"] : [])
        func name(_ key: String, after location: String) -> String {
            let base = Identifier.member(key)
            let free = ReservedNames.parameters.contains(base) ? "\(base)Value" : base
            guard names.contains(free) else { return names.take(free) }
            return names.take(location + free.upperFirst)
        }
        parameters = operation.parameters.map { parameter in
            let argument = Argument(
                name: name(parameter.key, after: parameter.location.rawValue),
                type: parameter.type,
                isRequired: parameter.isRequired,
                defaultValue: parameter.isRequired ? Self.literal(parameter.defaultValue, parameter.type) : nil,
                documentation: parameter.documentation
            )
            return (parameter, argument)
        }
        body = Self.body(operation.body) { name($0, after: "own") }
        if case .multipart(let named) = operation.body {
            parts = named.map { part in
                let argument = Argument(
                    name: name(part.key, after: "part"),
                    type: part.type,
                    isRequired: part.isRequired,
                    documentation: part.documentation
                )
                return (part, argument)
            }
        } else {
            parts = []
        }
        let path = parameters.filter { $0.parameter.location == .path }.map(\.argument)
        let others = parameters.filter { $0.parameter.location != .path }.map(\.argument)
        let unsorted =
            path + others.filter(\.isRequired) + (body.map { [$0] } ?? []) + parts.map(\.argument)
            + others.filter { !$0.isRequired }
        all = unsorted.filter(\.isNeeded) + unsorted.filter { !$0.isNeeded }
    }

    /// A value in Swift; `nil` for one that is not of this type.
    private static func literal(_ value: JSON?, _ type: SwiftType) -> String? {
        guard let value else { return nil }
        switch (type, value) {
        case (.string, .string(let text)): return Literal.string(text)
        case (.uint64, _): return value.integer.flatMap { $0 < 0 ? nil : "\($0)" }
        case (.int, _), (.int64, _): return value.integer.map { "\($0)" }
        // A literal that has more digits than a number, or is out of its range, is an error.
        case (.double, .number(let digits)):
            return digits.count <= 15 && !digits.lowercased().contains("e") ? digits : nil
        case (.bool, .bool(let isTrue)): return "\(isTrue)"
        case (.declared(let declaration), _):
            let constant = declaration.enumeration?.constants.first { $0.value == value }
            return constant.map { ".\(Identifier.escaped($0.name))" }
        default: return nil
        }
    }

    private static func body(_ body: RequestBody, name: (String) -> String) -> Argument? {
        switch body {
        case .json(let type, let isRequired, _), .form(let type, let isRequired, _):
            let own = type.declaration.flatMap { $0.scope.path.count == 1 ? Identifier.member($0.name) : nil }
            return argument(name(own ?? "body"), type, isRequired)
        case .text(let isRequired, _): return argument(name("text"), .string, isRequired)
        case .bytes(let isRequired, _): return argument(name("body"), .file, isRequired)
        case .multipart(let parts) where parts.isEmpty:
            return Argument(
                name: name("parts"),
                type: .parts,
                isRequired: true,
                isUnlabeled: true,
                documentation: nil
            )
        case .none, .multipart: return nil
        }
    }

    private static func argument(_ name: String, _ type: SwiftType, _ isRequired: Bool) -> Argument {
        Argument(name: name, type: type, isRequired: isRequired, isUnlabeled: true, documentation: nil)
    }
}
