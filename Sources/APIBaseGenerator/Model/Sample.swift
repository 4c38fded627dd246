/// The smallest value of a type.
enum Sample {
    static func value(of type: SwiftType, _ open: Set<Declaration> = []) -> JSON {
        switch type {
        case .string: .string("text")
        case .bool: .bool(true)
        case .int, .int64, .uint64: .number("1")
        case .double: .number("1.5")
        case .date: .string("2026-01-02T03:04:05Z")
        case .data: .string("aGVsbG8=")
        case .json, .void, .file, .parts: .null
        case .array: .array([])
        case .dictionary: .members([])
        case .optional(let value): self.value(of: value, open)
        case .declared(let declaration): self.value(of: declaration, open)
        }
    }

    private static func value(of declaration: Declaration, _ open: Set<Declaration>) -> JSON {
        guard !open.contains(declaration) else { return .null }
        let open = open.union([declaration])
        switch declaration.kind {
        case .enumeration(let enumeration):
            return enumeration.constants.first?.value ?? (enumeration.raw == .string ? .string("text") : .number("1"))
        case .structure(let structure):
            let required = structure.properties.filter(\.isRequired)
            return .members(required.map { ($0.key, $0.isNullable ? .null : value(of: $0.type, open)) })
        case .union(let union):
            guard let first = union.cases.first else { return .null }
            guard let key = union.discriminator, let tag = first.tags.first,
                case .object(var members) = value(of: first.type, open)
            else { return value(of: first.type, open) }
            members[key] = tag
            return .object(members)
        }
    }
}
