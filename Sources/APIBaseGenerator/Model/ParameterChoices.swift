import OpenAPIDocument

/// Parameters that are a choice, or an object: known only when all types have been read.
extension Operation {
    /// Finds out how a choice is sent; one that cannot be becomes a text. Warns of members that are not sent.
    mutating func settleParameters(_ warnings: Warnings) {
        for index in parameters.indices {
            let parameter = parameters[index]
            guard let declaration = parameter.type.declaration else { continue }
            if let cases = declaration.union?.cases.map(\.type) {
                if !cases.isEmpty, cases.allSatisfy(\.isQueryValue) {
                    declaration.isQueryValue = true
                } else if !cases.allSatisfy(parameter.canHave) {
                    warnings.add(parameter.pointer, "no \(parameter.location) has such a value: give it as its text")
                    parameters[index].type = .string
                }
            }
            for key in parameters[index].type.unsentKeys().unique() {
                warnings.add(parameter.pointer, "its member “\(key)” is not sent: no query has such a value")
            }
        }
    }
}

extension Parameter {
    /// Whether a variant of a choice can be sent.
    fileprivate func canHave(_ type: SwiftType) -> Bool {
        if type.isQueryValue { return true }
        let hasMembers = location == .query && (explodes || style == "deepObject")
        return hasMembers && (type.declaration?.structure != nil || type == .dictionary(.string))
    }
}

extension Parameter {
    /// The number that counting begins with, as far as the document says it.
    var firstNumber: Int? {
        if let given = defaultValue?.integer ?? least, [0, 1].contains(given) { return given }
        let words = documentation ?? ""
        if words.contains(/(?i)(zero|0)[- ]?(based|indexed)|\(0\.\.N\)|(start|begin)\w* (at|from|with) (0|zero)/) {
            return 0
        }
        return words.contains(/(?i)(one|1)[- ]?(based|indexed)|(start|begin)\w* (at|from|with) (1|one)/) ? 1 : nil
    }

    /// Whether its words say that it does not count pages or elements.
    var isNoCount: Bool { (documentation ?? "").contains(/(?i)deprecated|greater than|timestamp|\bdate\b/) }
}

extension SwiftType {
    /// The members of an object, and of the objects of a choice, that no item of a query can have.
    fileprivate func unsentKeys(depth: Int = 0) -> [String] {
        if let union = declaration?.union { return union.cases.flatMap { $0.type.unsentKeys(depth: depth) } }
        let others = declaration?.structure.flatMap { $0.additional == nil ? nil : $0.additionalName }
        return (others.map { [$0] } ?? [])
            + (declaration?.structure?.properties ?? []).flatMap { property -> [String] in
                if property.type.isQueryValue { return [] }
                guard property.type.declaration?.structure != nil, depth < 3 else { return [property.key] }
                return property.type.unsentKeys(depth: depth + 1).map { "\(property.key).\($0)" }
            }
    }
}
