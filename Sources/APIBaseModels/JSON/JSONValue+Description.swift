import Basics

extension JSONValue: CustomStringConvertible, CustomDebugStringConvertible {
    /// The value as JSON in one line, with the members of an object sorted by their names.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.quotedForJSON
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\($0.key.quotedForJSON):\($0.value)" }
                .joined(separator: ",") + "}"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension String {
    /// The text as a string in JSON (RFC 8259, section 7).
    fileprivate var quotedForJSON: String {
        let escaped = unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case ..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension Patch: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The value, `null`, or `absent`.
    public var description: String { wrappedValue.map { "\($0)" } ?? (isSet ? "null" : "absent") }

    /// As ``description``, with a text in quotes.
    public var debugDescription: String { wrappedValue.map { String(reflecting: $0) } ?? description }

    /// The mirror for `dump`: that of the value, or nothing.
    public var customMirror: Mirror { wrappedValue.map { Mirror(reflecting: $0) } ?? Mirror(self, children: []) }
}
