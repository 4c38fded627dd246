import OpenAPIDocument

/// Writes the schemas of shapes, in OpenAPI 3.1: types only, no value of a sample.
struct ShapeWriter {
    private let shared: [DraftSchema]
    /// The places of those in which an object of a name may be, in ``shared``.
    private var indices: [String: [Int]] = [:]
    /// The number of references to each of them.
    private(set) var uses: [Int]

    /// - Parameter shared: The objects that are referred to, where they hold.
    init(_ shared: [DraftSchema] = []) {
        self.shared = shared
        uses = shared.map { _ in 0 }
        for (index, shape) in shared.enumerated() {
            for noun in shape.nouns { indices[noun, default: []].append(index) }
        }
    }

    /// The schemas of the shared objects.
    mutating func schemas() -> JSON {
        .members(shared.map { ($0.name, object($0.shape, at: ShapePlace(noun: $0.name))) })
    }

    mutating func schema(_ shape: Shape, at place: ShapePlace) -> JSON {
        var variants: [JSON] = []
        if shape.has(.bool) { variants.append(["type": "boolean"]) }
        if shape.has(.number) {
            variants.append(["type": "number"])
        } else if shape.has(.integer) {
            variants.append(["type": "integer", "format": "int64"])
        }
        if shape.has(.string) {
            variants.append(["type": "string"])
        } else if shape.has(.date) {
            variants.append(["type": "string", "format": "date-time"])
        }
        if shape.has(.array) {
            let items = shape.element.map { schema($0, at: place.ofElement) }
            variants.append(["type": "array", "items": items ?? [:]])
        }
        if let shape = shape.object {
            variants.append(reference(to: shape, at: place) ?? object(shape, at: place))
        }
        if shape.has(.null), variants.count == 1, case .object(var members) = variants[0], let type = members["type"] {
            members["type"] = .array([type, "null"])
            return .object(members)
        }
        if shape.has(.null), !variants.isEmpty { variants.append(["type": "null"]) }
        return variants.count > 1 ? ["oneOf": .array(variants)] : variants.first ?? [:]
    }

    private mutating func reference(to shape: Shape, at place: ShapePlace) -> JSON? {
        let likely = place.isShareable(shape) ? indices[place.noun] ?? [] : []
        guard let index = likely.first(where: { shape.isPart(of: shared[$0].shape) }) else { return nil }
        uses[index] += 1
        return ["$ref": .string("#/components/schemas/\(shared[index].name)")]
    }

    private mutating func object(_ shape: Shape, at place: ShapePlace) -> JSON {
        let members = place.members(of: shape).map { ($0.name, schema($0.shape, at: $0.place)) }
        // Names that are like identifiers or addresses are keys of data.
        let groups = Dictionary(grouping: members) { PlainWords.isValue($0.0) }
        let (properties, others) = (groups[false] ?? [], (groups[true] ?? []).map(\.1).unique())
        let additional = others.count > 1 ? JSON.bool(true) : others.first
        let required = shape.required.filter { !PlainWords.isValue($0) }.map(JSON.string)
        return [
            "type": "object", "required": JSON.array(required).unlessEmpty,
            "properties": JSON.members(properties).unlessEmpty, "additionalProperties": additional,
        ]
    }
}
