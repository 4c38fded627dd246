import Foundation

/// A JSON value to compare by: members of objects have no order, numbers and texts no spelling.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// A place where two values are different: what is here, and what is there.
    package typealias Difference = (path: String, here: String, there: String)

    /// The first place where `other` is different. With `isPart`, `other` may have members that are not here.
    ///
    /// - Parameters:
    ///   - other: The value that is compared.
    ///   - isPart: Whether `other` may have more members.
    ///   - path: What the value is called.
    ///   - stands: Whether a text that is here stands for another.
    /// - Returns: The place; nil if there is none.
    package func difference(
        from other: JSONTree,
        isPart: Bool = false,
        at path: String = "body",
        if stands: (String, String) -> Bool = { $0 == $1 }
    ) -> Difference? {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            for (name, value) in mine.sorted(by: { $0.key < $1.key }) {
                guard let their = theirs[name] else { return ("\(path).\(name)", value.description, "nothing") }
                let found = value.difference(from: their, isPart: isPart, at: "\(path).\(name)", if: stands)
                if let found { return found }
            }
            guard !isPart, let name = theirs.keys.filter({ mine[$0] == nil }).min() else { return nil }
            return ("\(path).\(name)", "nothing", theirs[name]?.description ?? "")
        case (.array(let mine), .array(let theirs)):
            for (index, pair) in zip(mine, theirs).enumerated() {
                let found = pair.0.difference(from: pair.1, isPart: isPart, at: "\(path)[\(index)]", if: stands)
                if let found { return found }
            }
            return mine.count == theirs.count ? nil : (path, "\(mine.count) elements", "\(theirs.count)")
        case (.string(let mine), .string(let their)) where stands(mine, their): return nil
        default: return self == other ? nil : (path, description, other.description)
        }
    }

    /// The member of an object.
    package subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }

    /// The value in one spelling: equal values have the same.
    package var canonicalText: String {
        switch self {
        case .array(let elements): "[\(elements.map(\.canonicalText).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\($0.value.canonicalText)" }.joined())}"
        case .string(let text): text.debugDescription
        case .number(let number): number.canonicalText
        case .null, .bool: description
        }
    }
}

extension JSONTree: CustomStringConvertible {
    /// The value as text for a message: short, and an object or array by its size.
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
