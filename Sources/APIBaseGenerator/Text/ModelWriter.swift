import OpenAPIDocument

/// Writes declared types. They are `nonisolated`, so that a target whose default is the main actor can send and decode
/// them elsewhere.
struct ModelWriter {
    /// `public `, or nothing.
    let access: String

    func write(_ declaration: Declaration, to text: inout SwiftText) {
        text.gap()
        text.comment(declaration.documentation)
        switch declaration.kind {
        case .structure(let structure): write(structure, declaration, to: &text)
        case .enumeration(let enumeration): write(enumeration, declaration, to: &text)
        case .union(let union): UnionWriter(access: access).write(union, declaration, to: &text, nested: writeNested)
        }
    }

    func writeNested(_ declaration: Declaration, to text: inout SwiftText) {
        for nested in declaration.scope.declarations { write(nested, to: &text) }
    }

    private func write(_ enumeration: Enumeration, _ declaration: Declaration, to text: inout SwiftText) {
        let name = declaration.name
        let (raw, isText) = (enumeration.raw.text, enumeration.raw == .string)
        let literal = isText ? "ExpressibleByStringLiteral, " : ""
        let protocols = "RawRepresentable, \(literal)Codable, Hashable, Sendable, QueryValue"
        text.block("\(access)nonisolated struct \(name): \(protocols)") { text in
            text.line("\(access)let rawValue: \(raw)")
            text.line("\(access)init(rawValue: \(raw)) { self.rawValue = rawValue }")
            if isText { text.line("\(access)init(stringLiteral text: String) { self.rawValue = text }") }
            for constant in enumeration.constants {
                let value = constant.value.string.map(Literal.string) ?? "\(constant.value.integer ?? 0)"
                text.line("\(access)static let \(Identifier.escaped(constant.name)) = Self(rawValue: \(value))")
            }
        }
    }

    // MARK: Structs

    private func write(_ structure: Structure, _ declaration: Declaration, to text: inout SwiftText) {
        let error = declaration.isError ? "Error, " : ""
        // Swift 6.3 refuses property wrappers in a type that is `nonisolated` itself.
        let head =
            structure.hasWrappers
            ? "struct \(declaration.name): \(error)nonisolated Codable, nonisolated Hashable, Sendable"
            : "nonisolated struct \(declaration.name): \(error)Codable, Hashable, Sendable"
        text.block(access + head) { text in
            for property in structure.properties {
                text.comment(property.documentation)
                text.line("\(property.wrapper)\(access)var \(property.declared)")
            }
            if let additional = structure.additional {
                text.comment("The members that the document does not name.")
                text.line("\(access)var \(structure.additionalName): [String: \(additional.text)]")
            }
            for property in structure.properties where declaration.pageKeys.contains(property.key) {
                let value = property.isBoxed ? "_\(property.name).wrappedValue" : "_\(property.name)"
                text.line("nonisolated var \(property.nameInPages): \(property.type.text)? { \(value).wrappedValue }")
            }
            text.gap()
            writeInitializer(of: structure, to: &text)
            writeNested(declaration, to: &text)
            StructCoding(structure: structure, access: access).write(to: &text)
        }
    }

    private func writeInitializer(of structure: Structure, to text: inout SwiftText) {
        var list = structure.properties.map(\.parameter)
        if let additional = structure.additional {
            list.append("\(structure.additionalName): [String: \(additional.text)] = [:]")
        }
        text.block("\(access)init", list: list) { text in
            var pairs = structure.properties.map(\.assignment)
            if structure.additional != nil {
                pairs.append(("self.\(structure.additionalName)", structure.additionalName))
            }
            text.assignments(pairs)
        }
    }
}

extension Structure {
    var hasWrappers: Bool { properties.contains { $0.wrapperType != nil } }
}

extension Structure.Property {
    fileprivate var declared: String { "\(escapedName): \(type.text)\(isOptional ? "?" : "")" }
    /// A change takes a patch, so that `nil` is a null and only what is not given is absent.
    fileprivate var parameter: String {
        if isNullable, !isRequired { return "\(escapedName): Patch<\(type.text)> = Patch()" }
        return declared + (defaultValue.map { " = \($0)" } ?? "")
    }
    fileprivate var assignment: (String, String) {
        guard isNullable else { return ("self.\(name)", escapedName) }
        let patch = isRequired ? "Patch(\(escapedName))" : escapedName
        return ("self._\(name)", isBoxed ? "Indirect(wrappedValue: \(patch))" : patch)
    }

    fileprivate var wrapper: String { (isBoxed ? "@Indirect " : "") + (isNullable ? "@Patch " : "") }

    /// The wrapper that holds the value; `nil` without one.
    var wrapperType: String? {
        let value = isNullable ? "Patch<\(type.text)>" : "\(type.text)\(isOptional ? "?" : "")"
        return isBoxed ? "Indirect<\(value)>" : isNullable ? value : nil
    }

    /// The value of a parameter that need not be given: a constant that is the only one, or none.
    fileprivate var defaultValue: String? {
        let none = isRequired ? nil : "nil"
        guard !isNullable, let enumeration = type.declaration?.enumeration, enumeration.constants.count == 1,
            isRequired && !enumeration.isOpen || enumeration.isConst
        else { return none }
        return ".\(Identifier.escaped(enumeration.constants[0].name))"
    }
}
