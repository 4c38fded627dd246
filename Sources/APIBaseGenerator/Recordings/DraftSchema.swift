import OpenAPIDocument

/// An object that stands in several places of a draft, and becomes one schema with a name.
///
/// Two are the same if no member that both have is of another kind in one of them (`null` is of any kind), and
/// - both come in replies, what they are called (by the word of the path, or by the member) is the same, and more than
///   half of all members are in both: what is in a list may lack members of what is asked for alone;
/// - or one fits the other as it is: it has no member that the other lacks, and all that the other always has. Then what
///   they are called is the same too, or what is always there has three members or more, and one of them says what the
///   object is, which `id`, `name` or `status` do not. Two say so for words of paths, such as `/tags` and `/categories`.
///
/// So a body without `id` does not make that of replies optional, and small objects are not the same by chance.
struct DraftSchema {
    private(set) var shape: Shape
    private(set) var name = ""
    private var places: [ShapePlace]

    /// Its names in all its places.
    var nouns: [String] { places.map(\.noun).unique() }

    private var isOwn: Bool { places.contains(where: \.isOwn) }

    /// The name that most of its paths give, or if there are none, its members.
    private var wantedName: String {
        let nouns = (isOwn ? places.filter(\.isOwn) : places).grouped(by: \.noun)
        let noun = nouns.max { $0.elements.count < $1.elements.count }?.key ?? ""
        return isOwn && places.allSatisfy(\.isSent) ? "\(noun)Body" : noun
    }

    private mutating func join(_ other: DraftSchema) {
        shape.add(other.shape)
        places += other.places
    }

    // MARK: Finding

    /// Those of all messages, in the order in which they take their names.
    static func all(in messages: [(shape: Shape, place: ShapePlace)]) -> [DraftSchema] {
        var found: [DraftSchema] = []
        for message in messages { visit(message.shape, message.place, &found) }
        let (sent, received) = (found.filter { $0.places[0].isSent }, found.filter { !$0.places[0].isSent })
        let replies = joined(received, by: \.nouns) { $0.hasMostMembers(of: $1) }
        let all = joined(replies + sent, by: \.keys) { $0.isPart(of: $1) }
        return named(all.filter { $0.places.count > 1 })
    }

    private static func visit(_ shape: Shape, _ place: ShapePlace, _ found: inout [DraftSchema]) {
        if let element = shape.element { visit(element, place.ofElement, &found) }
        guard let object = shape.object else { return }
        if place.isShareable(object) { found.append(DraftSchema(shape: object, places: [place])) }
        for member in place.members(of: object) { visit(member.shape, member.place, &found) }
    }

    /// Each comes to the first before it that is the same. Only those that share a key are compared.
    private static func joined(
        _ schemas: [DraftSchema],
        by keys: (DraftSchema) -> [String],
        where isSame: (DraftSchema, DraftSchema) -> Bool
    ) -> [DraftSchema] {
        var joined: [DraftSchema] = []
        var indices: [String: [Int]] = [:]
        // What lacks members comes to what has them.
        let sorted = schemas.grouped { $0.shape.names.count }.sorted { $0.key > $1.key }.flatMap(\.elements)
        for schema in sorted {
            let likely = keys(schema).flatMap { indices[$0] ?? [] }
            if let index = likely.first(where: { isSame(schema, joined[$0]) }) {
                joined[index].join(schema)
            } else {
                // More of a name than these are no types.
                for key in keys(schema) where (indices[key] ?? []).count < 30 {
                    indices[key, default: []].append(joined.count)
                }
                joined.append(schema)
            }
        }
        return joined
    }

    /// The nouns and members that objects which may be the same have in common.
    private var keys: [String] { nouns + tellingMembers }

    private var tellingMembers: [String] {
        shape.required.filter { !Self.usualMembers.contains(Identifier.member($0)) }
    }

    private static let usualMembers = Set(
        """
        code count created createdAt data date deletedAt description error href id key kind label link message name \
        slug state status success text time title total type updated updatedAt url uuid value
        """
        .split(separator: " ").map(String.init)
    )

    private func hasMostMembers(of other: DraftSchema) -> Bool {
        let common = shape.names.count { other.shape.members[$0] != nil }
        return common * 2 > shape.names.count + other.shape.names.count - common && shape.agrees(with: other.shape)
    }

    private func isPart(of other: DraftSchema) -> Bool {
        let isTold = other.tellingMembers.count >= (isOwn && other.isOwn ? 2 : 1) && other.shape.required.count >= 3
        guard isTold || !Set(nouns).isDisjoint(with: other.nouns) else { return false }
        return Set(shape.required).isSuperset(of: other.shape.required)
            && shape.names.allSatisfy { other.shape.members[$0] != nil } && shape.agrees(with: other.shape)
    }

    /// Gives names. Those with a path take theirs before others.
    static func named(_ shapes: [DraftSchema]) -> [DraftSchema] {
        var names = NameTable(ignoringCase: true)
        return (shapes.filter(\.isOwn) + shapes.filter { !$0.isOwn }).map { shape in
            var named = shape
            named.name = names.take(shape.wantedName)
            return named
        }
    }
}
