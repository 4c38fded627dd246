/// The style in which the properties of a value are written in a query or a form body.
///
/// There is no standard for it, and servers differ. By default lists repeat their name, Booleans are `true` and
/// `false`, dates are as in RFC 3339, names do not change, and nested properties have the name of their object before
/// them: `filter[author]=…`.
public struct QueryStyle: Sendable, Hashable {
    /// Ways to write a list.
    public enum Arrays: Sendable, Hashable {
        /// `tag=a&tag=b`.
        case repeated
        /// `tag[]=a&tag[]=b`.
        case brackets
        /// `tag[0]=a&tag[1]=b`.
        case indices
        /// `tag=a,b`. An element with a comma looks like two.
        case commas
    }

    /// Ways to write a Boolean.
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`.
        case words
        /// `1` and `0`.
        case numbers
    }

    /// Ways to write a date.
    public enum Dates: Sendable, Hashable {
        /// `2026-01-31T12:00:00Z` (RFC 3339).
        case iso8601
        /// Seconds since 1970, with a fraction if there is one.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
    }

    /// Ways to write the names of properties.
    public enum Keys: Sendable, Hashable {
        /// `perPage`.
        case asTheyAre
        /// `per_page`.
        case snakeCase
    }

    /// Ways to name nested properties.
    public enum Objects: Sendable, Hashable {
        /// `filter[author]`.
        case brackets
        /// `filter.author`.
        case dots
    }

    /// The way lists are written.
    public var arrays: Arrays
    /// The way Booleans are written.
    public var booleans: Booleans
    /// The way dates are written.
    public var dates: Dates
    /// The way names are written.
    public var keys: Keys
    /// The way nested properties are named.
    public var objects: Objects

    /// Creates a style.
    public init(
        arrays: Arrays = .repeated,
        booleans: Booleans = .words,
        dates: Dates = .iso8601,
        keys: Keys = .asTheyAre,
        objects: Objects = .brackets
    ) {
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.keys = keys
        self.objects = objects
    }
}

// MARK: Encoding

extension QueryStyle {
    /// The properties of a value as names and texts, sorted by name, so that equal values give equal URLs. The value is
    /// encoded as JSON, as for a body.
    ///
    /// - Throws: `EncodingError` for a value that is not an object, and the errors of the value.
    package func fields(of value: some Encodable) throws -> [(name: String, value: String)] {
        let json = try JSONDecoder().decode(JSONNode.self, from: try encoder.encode(value))
        guard case .object(let properties) = json else {
            let context = EncodingError.Context(
                codingPath: [],
                debugDescription: "A query is made of the properties of an object, and this value has none."
            )
            // The type only: errors are printed, and the value may be secret.
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
        if arrays == .commas, elements.allSatisfy(\.isScalar) {
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

/// A JSON value, with numbers as text.
private enum JSONNode: Decodable {
    case null
    case boolean(Bool)
    case text(String)
    case array([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let properties = try? container.decode([String: JSONNode].self) {
            self = .object(properties)
        } else if let elements = try? container.decode([JSONNode].self) {
            self = .array(elements)
        } else {
            self = Self.scalar(container)
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) -> JSONNode {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(String.self) { return .text(value) }
        if let value = try? container.decode(Int64.self) { return .text("\(value)") }
        if let value = try? container.decode(UInt64.self) { return .text("\(value)") }
        // A decimal has more digits than a double, but a smaller range.
        if let value = try? container.decode(Decimal.self), value.isFinite { return .text("\(value)") }
        return (try? container.decode(Double.self)).map { .text("\($0)") } ?? .null
    }

    /// True if this is neither an array nor an object.
    var isScalar: Bool {
        switch self {
        case .null, .boolean, .text: true
        case .array, .object: false
        }
    }
}
