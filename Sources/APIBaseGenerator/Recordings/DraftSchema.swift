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

    /// What it is called in all its places.
    var nouns: [String] { places.map(\.noun).unique() }

    private var isOwn: Bool { places.contains(where: \.isOwn) }

    /// The name that most of its paths give, or if there are none, its members.
    private var wantedName: String {
        let best = (isOwn ? places.filter(\.isOwn) : places).grouped(by: \.noun)
            .reduce((key: "", elements: [])) { $1.elements.count > $0.elements.count ? $1 : $0 }
        return isOwn && places.allSatisfy(\.isSent) ? "\(best.key)Body" : best.key
    }

    private mutating func join(_ other: DraftSchema) {
        shape.add(other.shape)
        places += other.places
    }

    // MARK: Finding

    /// Those of all messages, in the order in which they take their names.
    static func all(in messages: [(shape: Shape, place: ShapePlace)]) -> [DraftSchema] {
        var found: [DraftSchema] = []
        for message in messages { visit(message.shape, message.place, 0, &found) }
        let received = largestFirst(found.filter { !$0.places[0].isSent }).grouped { $0.nouns[0] }
            .flatMap { joined($0.elements) }
        var all: [DraftSchema] = []
        // Where in that list they are, by a member that is always there.
        var indices: [String: [Int]] = [:]
        for shape in largestFirst(received + found.filter { $0.places[0].isSent }) {
            let likely = shape.shape.required.lazy.flatMap { (indices[$0] ?? []).prefix(limit) }
            if let index = likely.first(where: { shape.isRecognized(in: all[$0]) }) {
                all[index].join(shape)
            } else {
                let required = shape.shape.required
                if let key = required.first(where: isTelling) ?? required.first {
                    indices[key, default: []].append(all.count)
                }
                all.append(shape)
            }
        }
        return named(all.filter { $0.places.count > 1 })
    }

    /// Each is compared with so many others: more of a name are no types.
    private static let limit = 30

    /// So that what lacks members comes to what has them.
    private static func largestFirst(_ shapes: [DraftSchema]) -> [DraftSchema] {
        shapes.enumerated()
            .sorted { ($1.element.shape.names.count, $0.offset) < ($0.element.shape.names.count, $1.offset) }
            .map(\.element)
    }

    private static func visit(_ shape: Shape, _ place: ShapePlace, _ depth: Int, _ found: inout [DraftSchema]) {
        guard depth < Shape.depthLimit else { return }
        if let element = shape.element { visit(element, place.ofElement, depth + 1, &found) }
        guard let object = shape.object else { return }
        if place.isShareable(object) { found.append(DraftSchema(shape: object, places: [place])) }
        for member in place.members(of: object) { visit(member.shape, member.place, depth + 1, &found) }
    }

    /// Those of one name, where each comes to the first that has most of its members.
    private static func joined(_ shapes: [DraftSchema]) -> [DraftSchema] {
        shapes.reduce(into: []) { joined, shape in
            if let index = joined.prefix(limit).firstIndex(where: { $0.hasMostMembers(of: shape) }) {
                joined[index].join(shape)
            } else {
                joined.append(shape)
            }
        }
    }

    private func hasMostMembers(of other: DraftSchema) -> Bool {
        let common = shape.names.count { other.shape.members[$0] != nil }
        return common * 2 > shape.names.count + other.shape.names.count - common && shape.agrees(with: other.shape)
    }

    /// Whether it fits another one as it is, and not by chance.
    private func isRecognized(in other: DraftSchema) -> Bool {
        let (own, required) = (Set(shape.required), other.shape.required)
        guard required.allSatisfy(own.contains), shape.names.allSatisfy({ other.shape.members[$0] != nil }),
            shape.agrees(with: other.shape)
        else { return false }
        let isTold = required.count >= 3 && required.count(where: Self.isTelling) >= (isOwn && other.isOwn ? 2 : 1)
        return isTold || !Set(nouns).isDisjoint(with: other.nouns)
    }

    /// Whether a member says what an object is: not one of those that many objects have.
    private static func isTelling(_ name: String) -> Bool { !usualMembers.contains(Identifier.member(name)) }

    private static let usualMembers: Set<String> = [
        "code", "count", "created", "createdAt", "data", "date", "deletedAt", "description", "error", "href", "id",
        "key",
        "kind", "label", "link", "message", "name", "slug", "state", "status", "success", "text", "time", "title",
        "total",
        "type", "updated", "updatedAt", "url", "uuid", "value",
    ]

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
