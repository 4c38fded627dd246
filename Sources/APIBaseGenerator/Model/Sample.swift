import OpenAPIDocument

/// The smallest value of a type.
struct Sample {
    /// The rest of the parts that a value may have. Types that refer to one another twice have millions.
    private var room = 2_000

    static func value(of type: SwiftType) -> JSON {
        var sample = Sample()
        return sample.value(of: type, [])
    }

    private mutating func value(of type: SwiftType, _ open: Set<Declaration>) -> JSON {
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

    private mutating func value(of declaration: Declaration, _ open: Set<Declaration>) -> JSON {
        room -= 1
        guard !open.contains(declaration), room > 0 else { return .null }
        let open = open.union([declaration])
        switch declaration.kind {
        case .enumeration(let enumeration):
            return enumeration.constants.first?.value ?? (enumeration.raw == .string ? .string("text") : .number("1"))
        case .structure(let structure):
            let required = structure.properties.filter(\.isRequired)
            var members = JSON.Members()
            for property in required {
                members[property.key] = property.isNullable ? .null : value(of: property.type, open)
            }
            return .object(members)
        case .union(let union):
            guard let first = union.cases.first else { return .null }
            guard let path = union.discriminator, path.count == 1, let tag = first.tags.first,
                case .object(var members) = value(of: first.type, open)
            else { return value(of: first.type, open) }
            members[path[0]] = tag
            return .object(members)
        }
    }
}
