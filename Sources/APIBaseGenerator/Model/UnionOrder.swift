/// The cases of unions that no discriminator tells apart: those that ask for more come first, and objects have the members
/// that they are known by.
enum UnionOrder {
    static func settle(_ declarations: [Declaration]) {
        for declaration in declarations {
            guard var union = declaration.union else { continue }
            let tried = union.cases.filter(\.tags.isEmpty)
            let ranks = tried.map { rank($0.type) }
            let order = ranks.indices.sorted { (-ranks[$0], $0) < (-ranks[$1], $1) }
            let names = tried.flatMap { $0.type.declaration?.structure?.properties.map(\.key) ?? [] }
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            let isRare = { (key: String) in tried.count == 1 || counts[key] ?? 0 < tried.count }
            union.cases =
                union.cases.filter { !$0.tags.isEmpty }
                + order.map { index in
                    var element = tried[index]
                    let properties = element.type.declaration?.structure?.properties ?? []
                    let required = properties.filter { $0.isRequired && !$0.isNullable }.map(\.key)
                    // A few tell the cases apart, but for those of all.
                    element.required = Array(required.filter(isRare).prefix(3))
                    element.marks = required.isEmpty ? properties.map(\.key).filter { counts[$0] == 1 } : []
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
}
