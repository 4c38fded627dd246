/// Header fields in the order they came in, repeats included. Names compare without case.
package struct HTTPFields: Sendable, Equatable {
    /// One field line.
    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package private(set) var fields: [Field] = []

    package init(_ pairs: KeyValuePairs<String, String> = [:]) {
        fields = pairs.map { Field(name: $0.key, value: $0.value) }
    }

    /// The first value of that name. Setting replaces all of them, nil removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.name.isSameName(as: name) }?.value }
        set {
            fields.removeAll { $0.name.isSameName(as: name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of that name, in order.
    package func values(for name: String) -> [String] {
        fields.filter { $0.name.isSameName(as: name) }.map(\.value)
    }

    /// The members of a comma-separated list over all fields of that name, in lower case (RFC 9110, section 5.6.1).
    func tokens(for name: String) -> [String] {
        values(for: name).flatMap { $0.split(separator: ",") }.map { $0.trimmingBlanks().lowercased() }
            .filter { !$0.isEmpty }
    }

    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }
}
