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

extension StringProtocol {
    /// Compares as header names do: ASCII letters without case.
    func isSameName(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Without the blanks and tabs around it.
    func trimmingBlanks() -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        var text = Substring(self).utf8.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(Substring(text))
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self + 0x20 : self }

    /// Whether it may stand in a method or a header name (RFC 9110, section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
