/// What all samples of a value have in common.
struct Shape {
    private(set) var count = 0
    private var nulls = 0
    private var bools = 0
    private var integers = 0
    private var numbers = 0
    private var strings = 0
    private var dates = 0
    private var arrays = 0
    private var objects = 0
    /// What all elements of all arrays have in common.
    private var element: [Shape] = []
    private var names: [String] = []
    private var members: [String: Shape] = [:]

    mutating func add(_ json: JSON) {
        count += 1
        switch json {
        case .null: nulls += 1
        case .bool: bools += 1
        case .number: if json.integer == nil { numbers += 1 } else { integers += 1 }
        case .string(let text):
            strings += 1
            if text.isInternetDate { dates += 1 }
        case .array(let elements):
            arrays += 1
            if element.isEmpty { element = [Shape()] }
            for value in elements { element[0].add(value) }
        case .object(let object):
            objects += 1
            for (name, value) in zip(object.names, object.values) {
                if members[name] == nil { names.append(name) }
                members[name, default: Shape()].add(value)
            }
        }
    }

    /// The schema: types only, no value of a sample.
    func schema() -> JSON {
        var variants: [JSON] = []
        if bools > 0 { variants.append(Self.type("boolean")) }
        if numbers > 0 { variants.append(Self.type("number")) } else if integers > 0 { variants.append(integer) }
        if strings > 0 { variants.append(dates == strings ? Self.type("string", format: "date-time") : Self.type("string")) }
        if arrays > 0 {
            let items = element.first.map { $0.count == 0 ? JSON.members([]) : $0.schema() } ?? .members([])
            variants.append(.members([("type", .string("array")), ("items", items)]))
        }
        if objects > 0 { variants.append(object) }
        switch variants.count {
        case 0: return .members([])
        case 1: return nulls > 0 ? Self.nullable(variants[0]) : variants[0]
        default: return .members([("oneOf", .array(variants + (nulls > 0 ? [Self.type("null")] : [])))])
        }
    }

    private var object: JSON {
        if isDictionary {
            let values = Set(names.compactMap { members[$0]?.schema() })
            if values.count == 1, let value = values.first {
                return .members([("type", .string("object")), ("additionalProperties", value)])
            }
        }
        var schema: [(String, JSON)] = [("type", .string("object"))]
        let required = names.filter { members[$0]?.count == objects }
        if !required.isEmpty { schema.append(("required", .array(required.map(JSON.string)))) }
        let properties = names.map { ($0, members[$0]?.schema() ?? .members([])) }
        if !properties.isEmpty { schema.append(("properties", .members(properties))) }
        return .members(schema)
    }

    /// Whether the names are keys of data: many, and all of them like identifiers.
    private var isDictionary: Bool { names.count >= 10 && names.allSatisfy { PathSegment.isValue($0) } }

    private var integer: JSON { Self.type("integer", format: "int64") }

    private static func type(_ name: String, format: String? = nil) -> JSON {
        .members([("type", .string(name))] + (format.map { [("format", .string($0))] } ?? []))
    }

    /// The same in OpenAPI 3.1, which has types in a list.
    private static func nullable(_ schema: JSON) -> JSON {
        guard case .object(var members) = schema, let type = members["type"] else { return schema }
        members["type"] = .array([type, .string("null")])
        return .object(members)
    }
}

extension String {
    /// Whether it is a date and a time in the format of RFC 3339: `2026-01-02T03:04:05.678+02:00`.
    var isInternetDate: Bool {
        let bytes = Array(utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard bytes.count > pattern.count, zip(bytes, pattern).allSatisfy(Self.fits) else { return false }
        let zone = bytes.dropFirst(pattern.count).drop { $0 == UInt8(ascii: ".") || Self.fits($0, UInt8(ascii: "0")) }
        return ["Z", "z"].contains { zone.elementsEqual($0.utf8) }
            || zone.count >= 5 && [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(zone[zone.startIndex])
    }

    private static func fits(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        switch pattern {
        case UInt8(ascii: "0"): UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        case UInt8(ascii: "T"): "Tt ".utf8.contains(byte)
        default: byte == pattern
        }
    }
}
