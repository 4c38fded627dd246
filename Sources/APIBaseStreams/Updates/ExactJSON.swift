import StrictJSON

/// A JSON value with its numbers as they are written. ``JSONValue`` rounds those of more than 64 bits, so that a change of
/// them would be lost.
enum ExactJSON: Hashable {
    /// The members by the UTF-8 of their names: Swift takes some for the same that JSON tells apart.
    case object([Data: ExactJSON])
    case array([ExactJSON])
    /// Another value, as JSON.
    case scalar(String)

    static let null = scalar("null")

    /// - Throws: `DecodingError` for what is no JSON, is nested deeper than 512, or has two names that are the same for
    ///   Swift.
    init(_ data: Data) throws { self = try StrictJSONDecoder().decode(ExactJSON.self, from: data) }

    /// The merge patch (RFC 7396) that makes another value of this one; `nil` if they are equal.
    ///
    /// It has the members that differ, and `null` for those that are missing there. A `null` there is no different from a
    /// missing member, since a merge patch can only remove it.
    func mergePatch(to other: ExactJSON) -> ExactJSON? {
        guard self != other else { return nil }
        guard case .object(let old) = self, case .object(let new) = other else { return other }
        var patch: [Data: ExactJSON] = [:]
        for name in old.keys where new[name] == nil { patch[name] = .null }
        for (name, value) in new {
            patch[name] = old[name].map { $0.mergePatch(to: value) } ?? (value == .null ? nil : value)
        }
        return patch.isEmpty ? nil : .object(patch)
    }

    /// The value as JSON, with sorted names.
    var text: String {
        switch self {
        case .scalar(let text): text
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { "\(JSONValue.string(String(decoding: $0.key, as: UTF8.self))):\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }
}

extension ExactJSON: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let json = decoder as? any KindOfJSON
        switch json?.kind {
        case .null: self = .null
        case .bool: self = .scalar(try container.decode(Bool.self) ? "true" : "false")
        case .integer, .fraction: self = .scalar(json?.numberText ?? "")
        case .string: self = .scalar("\(JSONValue.string(try container.decode(String.self)))")
        case .array: self = .array(try container.decode([ExactJSON].self))
        case .object:
            try decoder.checkNames()
            let members = try container.decode([String: ExactJSON].self).map { (Data($0.key.utf8), $0.value) }
            self = .object(Dictionary(uniqueKeysWithValues: members))
        case nil: throw DecodingError.dataCorruptedError(in: container, debugDescription: "There is no text.")
        }
    }
}
