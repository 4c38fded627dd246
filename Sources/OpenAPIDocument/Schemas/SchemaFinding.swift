/// A place in a value that contradicts its schema, or that the schema does not know.
package struct SchemaFinding: Hashable, Sendable {
    package enum Kind: Sendable { case misfit, unknownMember }

    package let kind: Kind
    /// The JSON pointer of the place in the value, as a fragment; of a missing member, the one that it would have.
    package let place: String
    /// The JSON pointer of the keyword in the document; of an unknown member, that of the schema that names others.
    package let schema: String
    /// The difference in words: `is 5, expected a string`.
    package let message: String
    /// The same without the value, or a part of it; `nil` if the message has none.
    package var messageWithoutValue: String?
}

/// A finding before it is put into words, which only a few of those in variants of a schema are.
struct Misfit: Sendable {
    enum Reason: Sendable {
        /// It has another value than expected: “is 5, expected ” and this.
        case value(String)
        case type(JSONTypes)
        /// Of how many characters, elements or members it has another number: “has 5 characters, expected ” and this.
        case size(Int, String, String)
        case missing(String)
        case other(String)
    }

    let place: Int
    let schema: Int
    /// Empty if the schema is `false`.
    let keyword: String
    let reason: Reason

    var isOfConstant: Bool { keyword == "const" || keyword == "enum" }
}

extension Misfit {
    func finding(in tree: ValueTree, schema: String) -> SchemaFinding {
        var place = tree.pointer(to: place)
        if case .missing(let name) = reason { place += "/\(name.escapedForPointer)" }
        let subject = tree.isName(self.place) ? "its name " : ""
        let value = tree.values[self.place]
        return SchemaFinding(
            kind: .misfit,
            place: place,
            schema: keyword.isEmpty ? schema : "\(schema)/\(keyword)",
            message: "\(subject)\(reason.words(for: value))",
            messageWithoutValue: reason.wordsWithoutValue(for: value).map { "\(subject)\($0)" }
        )
    }
}

extension Misfit.Reason {
    fileprivate func words(for value: JSON) -> String {
        switch self {
        case .value(let expected): return "is \(value.shortened()), expected \(expected)"
        case .type(let types):
            let words = value.string == nil ? value.shortened() : "the string \(value.shortened())"
            return "is \(value.type.isScalar ? words : value.type.phrase), expected \(types.phrase)"
        case .size(let count, let unit, let expected):
            return "has \(count) \(unit)\(count == 1 ? "" : "s"), expected \(expected)"
        case .missing: return "is missing"
        case .other(let words): return words
        }
    }

    /// The words without the value, or a part of it; `nil` if they have none.
    fileprivate func wordsWithoutValue(for value: JSON) -> String? {
        switch self {
        case .type(let types): "is \(value.type.phrase), expected \(types.phrase)"
        case .value, .other: "does not fit"
        case .size, .missing: nil
        }
    }
}
