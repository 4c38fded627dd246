/// The shape that all samples of a value have in common.
struct Shape {
    /// Values deeper in one another are any JSON in a draft, whose brackets would be more than the generator reads.
    static let depthLimit = 100

    private enum Kind { case null, bool, integer, number, string, date, array, object }

    private(set) var count = 0
    private var counts: [Kind: Int] = [:]
    /// The shape that all elements of all arrays have in common; one at most.
    private var element: [Shape] = []
    private var names: [String] = []
    private var members: [String: Shape] = [:]

    init(_ samples: [JSON] = []) { for sample in samples { add(sample) } }

    mutating func add(_ json: JSON) {
        count += 1
        counts[Self.kind(of: json), default: 0] += 1
        if let elements = json.array {
            if element.isEmpty { element = [Shape()] }
            for value in elements { element[0].add(value) }
        }
        for (name, value) in json.pairs {
            if members[name] == nil { names.append(name) }
            members[name, default: Shape()].add(value)
        }
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

    /// The schema in OpenAPI 3.1: types only, no value of a sample.
    var schema: JSON { schema(depth: 0) }

    private func schema(depth: Int) -> JSON {
        guard depth < Self.depthLimit else {
            return .members([("description", .string("Any JSON: nested more than \(Self.depthLimit) deep."))])
        }
        var variants: [JSON] = []
        func has(_ kind: Kind) -> Bool { counts[kind] != nil }
        if has(.bool) { variants.append(Self.type("boolean")) }
        if has(.number) {
            variants.append(Self.type("number"))
        } else if has(.integer) {
            variants.append(Self.type("integer", "int64"))
        }
        if has(.string) {
            variants.append(Self.type("string"))
        } else if has(.date) {
            variants.append(Self.type("string", "date-time"))
        }
        if has(.array) {
            let items = element.first { $0.count > 0 }?.schema(depth: depth + 1) ?? .members([])
            variants.append(.members([("type", .string("array")), ("items", items)]))
        }
        if has(.object) { variants.append(object(depth: depth)) }
        if has(.null), variants.count == 1, case .object(var members) = variants[0], let type = members["type"] {
            members["type"] = .array([type, .string("null")])
            return .object(members)
        }
        if has(.null), !variants.isEmpty { variants.append(Self.type("null")) }
        return variants.count > 1 ? .members([("oneOf", .array(variants))]) : variants.first ?? .members([])
    }

    private func object(depth: Int) -> JSON {
        // Names that are like identifiers or addresses are keys of data.
        let groups = Dictionary(grouping: names, by: PlainWords.isValue)
        let (values, names) = (groups[true] ?? [], groups[false] ?? [])
        func schema(_ name: String) -> JSON { members[name]?.schema(depth: depth + 1) ?? .members([]) }
        let properties = names.map { ($0, schema($0)) }
        let others = values.map(schema).unique()
        let additional = others.count > 1 ? JSON.bool(true) : others.first
        let required = names.filter { members[$0]?.count == counts[.object] }.map(JSON.string)
        return .members(
            [("type", .string("object"))] + (required.isEmpty ? [] : [("required", .array(required))])
                + (properties.isEmpty ? [] : [("properties", .members(properties))])
                + (additional.map { [("additionalProperties", $0)] } ?? [])
        )
    }

    private static func type(_ name: String, _ format: String? = nil) -> JSON {
        .members([("type", .string(name))] + (format.map { [("format", .string($0))] } ?? []))
    }
}

extension String {
    /// Whether it is a date and a time in the format of RFC 3339: `2026-01-02T03:04:05.678+02:00`.
    var isInternetDate: Bool {
        let pattern = "0000-00-00T00:00:00"
        guard starts(withBytesLike: pattern) else { return false }
        let zone = utf8.dropFirst(pattern.utf8.count)
            .drop { $0 == UInt8(ascii: ".") || Self.fits($0, UInt8(ascii: "0")) }
        return ["Z", "z"].contains { zone.elementsEqual($0.utf8) }
            || zone.count >= 5 && "+-".utf8.contains(zone[zone.startIndex])
    }

    /// Whether it begins with such bytes, where each `0` stands for any digit.
    func starts(withBytesLike pattern: String) -> Bool {
        utf8.count >= pattern.utf8.count && zip(utf8, pattern.utf8).allSatisfy(Self.fits)
    }

    private static func fits(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        switch pattern {
        case UInt8(ascii: "0"): UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        case UInt8(ascii: "T"): "Tt ".utf8.contains(byte)
        default: byte == pattern
        }
    }
}

extension JSON {
    /// Whether there are values in one another at least this many times.
    func reaches(_ depth: Int) -> Bool {
        depth == 0 || (array ?? object?.values ?? []).contains { $0.reaches(depth - 1) }
    }
}
