import Foundation
import StrictJSON

/// A JSON value for comparisons. The order of members and the spelling of numbers and strings do not matter.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// A place where two values differ, with both values as text.
    package typealias Difference = (path: String, here: String, there: String)

    /// The first difference, or nil. With `isPart`, objects of `other` may have more members.
    package func difference(
        from other: JSONTree,
        isPart: Bool = false,
        at path: String = "body",
        matching matches: (String, String) -> Bool = { $0 == $1 }
    ) -> Difference? {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            for (name, value) in mine.sorted(by: { $0.key < $1.key }) {
                guard let their = theirs[name] else { return ("\(path).\(name)", value.description, "nothing") }
                let found = value.difference(from: their, isPart: isPart, at: "\(path).\(name)", matching: matches)
                if let found { return found }
            }
            guard !isPart, let name = theirs.keys.filter({ mine[$0] == nil }).min() else { return nil }
            return ("\(path).\(name)", "nothing", theirs[name]?.description ?? "")
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() {
                let place = "\(path)[\(index)]"
                let found = pair.0.difference(from: pair.1, isPart: isPart, at: place, matching: matches)
                if let found { return found }
            }
            return mine.count == theirs.count ? nil : (path, "\(mine.count) elements", "\(theirs.count)")
        case (.string(let mine), .string(let their)) where matches(mine, their): return nil
        default: return self == other ? nil : (path, description, other.description)
        }
    }

    /// The member of an object; nil if it is missing, or if this is not an object.
    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }

    /// The value as text. Equal values have the same text.
    package var canonicalText: String {
        switch self {
        case .array(let elements): return "[\(elements.map(\.canonicalText).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return "{\(sorted.map { "\($0.key.debugDescription):\($0.value.canonicalText)" }.joined())}"
        case .string(let text): return text.debugDescription
        case .number(let number): return number.canonicalText
        case .null, .bool: return description
        }
    }
}

extension JSONTree: CustomStringConvertible {
    /// The value as short text for a message. Objects and arrays are described by their size.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): value.description
        case .string(let value): "“\(value)”"
        case .array(let elements): "an array of \(elements.count)"
        case .object(let members): "an object of \(members.count)"
        }
    }
}

extension JSONTree: Decodable {
    /// Reads JSON in UTF-8 (RFC 8259), at most 512 levels deep; `nil` for anything else, also for another encoding.
    package init?(_ data: Data) {
        guard let first = data.first, 1..<0x80 ~= first, data.dropFirst().first != 0,
            let value = try? StrictJSONDecoder().decode(JSONTree.self, from: data)
        else { return nil }
        self = value
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let json = decoder as? any KindOfJSON
        switch json?.kind {
        case .bool: self = .bool(try container.decode(Bool.self))
        case .integer, .fraction: self = .number(JSONNumber(json?.numberText ?? ""))
        case .string: self = .string(try container.decode(String.self))
        case .array: self = .array(try container.decode([JSONTree].self))
        case .object: self = .object(try container.decode([String: JSONTree].self))
        // Another decoder rounds numbers, so it reads nothing.
        case nil: throw DecodingError.dataCorruptedError(in: container, debugDescription: "There is no text.")
        case .null: self = .null
        }
    }
}
