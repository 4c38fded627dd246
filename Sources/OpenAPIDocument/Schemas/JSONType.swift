/// The types that the keyword `type` names.
package enum JSONType: String, CaseIterable, Sendable {
    case null, boolean, integer, number, string, array, object

    fileprivate var bit: UInt8 {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer: 2
        case .number: 3
        case .string: 4
        case .array: 5
        case .object: 6
        }
    }

    /// The type for a message: “an integer”.
    var phrase: String {
        switch self {
        case .null: "null"
        case .integer, .array, .object: "an \(rawValue)"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}

/// Several types.
struct JSONTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = JSONTypes(.null)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ type: JSONType) { rawValue = 1 << type.bit }

    init(_ types: some Sequence<JSONType>) { self = types.reduce(into: []) { $0.formUnion(JSONTypes($1)) } }

    /// The types for a message: “an integer or null”.
    var phrase: String {
        JSONType.allCases.filter { contains(JSONTypes($0)) }.map(\.phrase).listed(last: " or ")
    }
}

extension JSON {
    /// The narrowest type of the value.
    var type: JSONType {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number(let digits): Self.isInteger(digits) ? .integer : .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    private static func isInteger(_ digits: String) -> Bool {
        guard digits.utf8.contains(where: { ".eE".utf8.contains($0) }) else { return true }
        return ExactNumber(digits)?.isInteger ?? false
    }

    /// Whether it has one of the types; of a text of a URL or a form, whether it reads as one.
    func isOne(of types: JSONTypes, isText: Bool) -> Bool {
        let type = type
        if types.contains(JSONTypes(type)) || type == .integer && types.contains(JSONTypes(.number)) { return true }
        guard isText, case .string(let text) = self else { return false }
        return switch text {
        case "null": types.contains(.null)
        case "true", "false": types.contains(JSONTypes(.boolean))
        default: ExactNumber(text) != nil && JSON.number(text).isOne(of: types, isText: false)
        }
    }
}

extension Set<JSONType> {
    /// Whether a schema says nothing of the type.
    var isAll: Bool { count == JSONType.allCases.count }
}

extension JSONType {
    var isScalar: Bool { self != .array && self != .object }
}
