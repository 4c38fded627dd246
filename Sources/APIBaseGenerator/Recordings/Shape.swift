import OpenAPIDocument

/// The shape that all samples of a value have in common: kinds and names, and no value.
struct Shape {
    /// Values deeper in one another have no shape, and are any JSON in a draft.
    static let depthLimit = 100

    enum Kind { case null, bool, integer, number, string, date, array, object }

    private(set) var count = 0
    private var counts: [Kind: Int] = [:]
    /// The shape that all elements of all arrays have in common; one at most.
    private var elements: [Shape] = []
    /// The names of the members of all objects, in the order in which they came.
    private(set) var names: [String] = []
    private(set) var members: [String: Shape] = [:]

    init(_ samples: [JSON] = []) { for sample in samples { add(sample) } }

    mutating func add(_ json: JSON, depth: Int = 0) {
        count += 1
        guard depth < Self.depthLimit else { return }
        counts[Self.kind(of: json), default: 0] += 1
        if json.array != nil, elements.isEmpty { elements = [Shape()] }
        for value in json.array ?? [] { elements[0].add(value, depth: depth + 1) }
        for (name, value) in json.pairs { addMember(name) { $0.add(value, depth: depth + 1) } }
    }

    /// Adds all samples of another shape.
    mutating func add(_ other: Shape) {
        count += other.count
        counts.merge(other.counts) { $0 + $1 }
        if elements.isEmpty {
            elements = other.elements
        } else if let element = other.element {
            elements[0].add(element)
        }
        for (name, shape) in other.namedMembers { addMember(name) { $0.add(shape) } }
    }

    private mutating func addMember(_ name: String, _ change: (inout Shape) -> Void) {
        if members[name] == nil { names.append(name) }
        change(&members[name, default: Shape()])
    }

    /// The members in the order in which they came.
    var namedMembers: [(name: String, shape: Shape)] { names.map { ($0, members[$0] ?? Shape()) } }

    func has(_ kind: Kind) -> Bool { counts[kind] != nil }

    var element: Shape? { elements.first { $0.count > 0 } }

    /// Whether there are objects among the samples, or in lists among them.
    var holdsObjects: Bool { has(.object) || elements.contains(where: \.holdsObjects) }

    /// The shape of the objects among the samples; `nil` if there are none.
    var object: Shape? {
        guard let count = counts[.object] else { return nil }
        var shape = self
        (shape.count, shape.counts, shape.elements) = (count, [.object: count], [])
        return shape
    }

    /// The members that no object lacks.
    var required: [String] { names.filter { members[$0]?.count == counts[.object] } }

    // MARK: Comparing

    /// Whether nothing in one is of another kind than in the other: both can be one type. `null` may stand for all.
    func agrees(with other: Shape) -> Bool {
        let (own, others) = (looseKinds, other.looseKinds)
        guard own.isSubset(of: others) || others.isSubset(of: own) else { return false }
        if let element, let others = other.element, !element.agrees(with: others) { return false }
        return members.allSatisfy { other.members[$0.key]?.agrees(with: $0.value) ?? true }
    }

    private var looseKinds: Set<Kind> {
        Set(counts.keys.filter { $0 != .null }.map { $0 == .integer ? .number : $0 == .date ? .string : $0 })
    }

    /// Whether the schema of the other shape holds for all samples of this one.
    func isPart(of other: Shape) -> Bool {
        func isKnown(_ kind: Kind) -> Bool {
            other.has(kind) || kind == .integer && other.has(.number) || kind == .date && other.has(.string)
        }
        guard counts.keys.allSatisfy(isKnown), element.map({ $0.isPart(of: other.element ?? Shape()) }) ?? true,
            !has(.object) || other.required.allSatisfy({ members[$0]?.count == counts[.object] })
        else { return false }
        return members.allSatisfy { name, shape in other.members[name].map(shape.isPart) ?? false }
    }

    private static func kind(of json: JSON) -> Kind {
        switch json {
        case .null: .null
        case .bool: .bool
        case .number: json.integer == nil ? .number : .integer
        case .string(let text): text.isInternetDate ? .date : .string
        case .array: .array
        case .object: .object
        }
    }
}

extension String {
    /// Whether it is a date and a time in the format of RFC 3339: `2026-01-02T03:04:05.678+02:00`.
    var isInternetDate: Bool {
        // Most texts are none, and the pattern is slow.
        startsWithDate
            && wholeMatch(of: /.{10}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+\-][0-9]{2}:?[0-9]{2})/) != nil
    }

    /// Whether it begins as `2026-01-02` does.
    var startsWithDate: Bool {
        let bytes = Array(utf8.prefix(10))
        return bytes.count == 10
            && bytes.enumerated().allSatisfy { [4, 7].contains($0) ? $1 == 0x2D : 0x30...0x39 ~= $1 }
    }
}

extension JSON {
    /// Whether there are values in one another at least this many times.
    func reaches(_ depth: Int) -> Bool {
        depth == 0 || children.contains { $0.reaches(depth - 1) }
    }
}
