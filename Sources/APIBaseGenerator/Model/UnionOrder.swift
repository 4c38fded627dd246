/// Unions without a discriminator: the cases that ask for more come first, and objects say what they are known by.
enum UnionOrder {
    static func settle(_ declarations: [Declaration]) {
        for declaration in declarations {
            guard var union = declaration.union, union.discriminator == nil else { continue }
            let ordered = union.cases.enumerated().sorted { first, second in
                let (rank, otherRank) = (rank(first.element.type), rank(second.element.type))
                return rank != otherRank ? rank > otherRank : first.offset < second.offset
            }
            union.cases = ordered.map { _, element in
                var element = element
                element.marks = marks(of: element, among: union.cases)
                return element
            }
            declaration.kind = .union(union)
        }
    }

    /// The greater, the earlier.
    private static func rank(_ type: SwiftType) -> Int {
        switch type {
        case .declared(let declaration):
            guard let structure = declaration.structure else { return declaration.union == nil ? 2 : 0 }
            return 10 + 1_000 * structure.properties.count(where: \.isRequired) + structure.properties.count
        case .date, .data, .int, .int64, .uint64, .bool: return 4
        case .double: return 3
        case .string: return 1
        case .array(let element): return 5 + min(rank(element), 1)
        default: return 0
        }
    }

    /// The members that only this case has, for an object that requires nothing and so would fit any.
    private static func marks(of element: Union.Case, among cases: [Union.Case]) -> [String] {
        guard let structure = element.type.declaration?.structure,
            !structure.properties.contains(where: { $0.isRequired && !$0.isNullable })
        else { return [] }
        let others = Set(
            cases.filter { $0.type != element.type }
                .flatMap { $0.type.declaration?.structure?.properties.map(\.key) ?? [] }
        )
        return structure.properties.map(\.key).filter { !others.contains($0) }
    }
}
