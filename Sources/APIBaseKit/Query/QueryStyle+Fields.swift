extension QueryStyle {
    /// The properties of a value as names and texts, sorted by the names of its properties, so that equal values give equal
    /// URLs.
    ///
    /// The way is over JSON: whatever encodes itself for an API does it here as well.
    ///
    /// - Throws: `EncodingError` for a value that is no object, and what the value throws.
    func fields(of value: some Encodable) throws -> [(name: String, value: String)] {
        let json = try JSONDecoder().decode(JSONNode.self, from: try encoder.encode(value))
        guard case .object(let properties) = json else {
            let context = EncodingError.Context(
                codingPath: [],
                debugDescription: "A query is made of the properties of an object, and this value has none."
            )
            // Its type alone: the value may be secret, and errors are printed.
            throw EncodingError.invalidValue(type(of: value), context)
        }
        return properties.sorted { $0.key < $1.key }.flatMap { fields(of: $0.value, named: $0.key) }
    }

    private var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = keys == .snakeCase ? .convertToSnakeCase : .useDefaultKeys
        encoder.dateEncodingStrategy =
            switch dates {
            case .iso8601: .iso8601
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            }
        return encoder
    }

    private func fields(of node: JSONNode, named name: String) -> [(name: String, value: String)] {
        switch node {
        case .null: []
        case .text(let text): [(name, text)]
        case .boolean(let value): [(name, booleans == .words ? "\(value)" : value ? "1" : "0")]
        case .object(let properties):
            properties.sorted { $0.key < $1.key }.flatMap { property in
                fields(
                    of: property.value,
                    named: objects == .dots ? "\(name).\(property.key)" : "\(name)[\(property.key)]"
                )
            }
        case .array(let elements): fields(of: elements, named: name)
        }
    }

    private func fields(of elements: [JSONNode], named name: String) -> [(name: String, value: String)] {
        if arrays == .commas, elements.allSatisfy(\.isPlain) {
            let texts = elements.flatMap { fields(of: $0, named: name).map(\.value) }
            return texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
        return elements.enumerated().flatMap { index, element in
            let elementName =
                switch arrays {
                case .repeated, .commas: name
                case .brackets: "\(name)[]"
                case .indices: "\(name)[\(index)]"
                }
            return fields(of: element, named: elementName)
        }
    }
}

/// A value of JSON, with numbers as they are written.
private enum JSONNode: Decodable {
    case null
    case boolean(Bool)
    case text(String)
    case array([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            let pairs = try container.allKeys.map { ($0.stringValue, try container.decode(JSONNode.self, forKey: $0)) }
            self = .object(Dictionary(pairs) { first, _ in first })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONNode] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONNode.self)) }
            self = .array(elements)
        } else {
            self = Self.plain(try decoder.singleValueContainer())
        }
    }

    private static func plain(_ container: any SingleValueDecodingContainer) -> JSONNode {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(String.self) { return .text(value) }
        if let value = try? container.decode(Int64.self) { return .text("\(value)") }
        if let value = try? container.decode(UInt64.self) { return .text("\(value)") }
        // More digits than a double has, but not its whole range.
        if let value = try? container.decode(Decimal.self), value.isFinite { return .text("\(value)") }
        return (try? container.decode(Double.self)).map { .text("\($0)") } ?? .null
    }

    /// Whether this is neither a list nor an object.
    var isPlain: Bool {
        switch self {
        case .null, .boolean, .text: true
        case .array, .object: false
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
