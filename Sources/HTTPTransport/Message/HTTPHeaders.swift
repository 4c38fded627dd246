/// Header fields in the order they were given, repeats included.
///
/// Names compare without case (ASCII; RFC 9110, section 5.1). Nothing is checked here and nothing traps: what must not
/// be sent fails when the request is checked (``RequestCheck``).
public struct HTTPHeaders: Sendable {
    var fields: [(name: String, value: String)]

    /// No headers.
    public init() {
        fields = []
    }

    /// The dictionary's entries, sorted by name, so that equal dictionaries give equal bytes on the wire.
    public init(_ dictionary: [String: String]) {
        fields = dictionary.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// All values of `name`, joined by `", "` (RFC 9110, section 5.3); nil if there is none.
    ///
    /// Setting replaces them all by one, in the place of the first, or behind the others if there was none. Setting nil
    /// removes them.
    public subscript(name: String) -> String? {
        get {
            let values = values(for: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            guard let newValue else { return remove(name: name) }
            guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
                return add(name: name, value: newValue)
            }
            fields[first] = (name, newValue)
            let rest = fields[(first + 1)...].filter { !$0.name.equalsIgnoringCase(name) }
            fields.replaceSubrange((first + 1)..., with: rest)
        }
    }

    /// Adds a field behind the others, whether or not there is one of that name.
    public mutating func add(name: String, value: String) {
        fields.append((name, value))
    }

    /// Removes all fields of that name, if there are any.
    public mutating func remove(name: String) {
        fields.removeAll { $0.name.equalsIgnoringCase(name) }
    }

    /// The values of all fields of that name, in their order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Whether there is a field of that name.
    public func contains(name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringCase(name) }
    }

    /// The number of fields, repeats counted.
    public var count: Int { fields.count }

    /// Whether there is no field.
    public var isEmpty: Bool { fields.isEmpty }

    /// One entry for each name, in the first one's spelling, as `URLRequest.allHTTPHeaderFields` takes it: repeats are
    /// joined by `", "`, those of `Cookie` by `"; "` (RFC 6265, section 5.4).
    public var dictionary: [String: String] {
        var dictionary: [String: String] = [:]
        var spellings: [String: String] = [:]
        dictionary.reserveCapacity(fields.count)
        for field in fields {
            let key = field.name.lowercasedASCII()
            guard let spelling = spellings[key], let value = dictionary[spelling] else {
                spellings[key] = field.name
                dictionary[field.name] = field.value
                continue
            }
            dictionary[spelling] = value + (key == "cookie" ? "; " : ", ") + field.value
        }
        return dictionary
    }
}

extension HTTPHeaders: Sequence {
    /// Goes through the fields in their order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.makeIterator()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// The literal's fields in their order; repeats are allowed.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }
}
