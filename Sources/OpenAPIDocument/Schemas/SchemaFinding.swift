/// A place in a value that contradicts its schema, or that the schema does not know.
package struct SchemaFinding: Hashable, Sendable {
    package enum Kind: Sendable { case misfit, unknownMember }

    package let kind: Kind
    /// The JSON pointer of the place in the value, as a fragment; of a missing member, the one that it would have.
    package let place: String
    /// The JSON pointer of the keyword in the document; of an unknown member, that of the schema that names others.
    package let schema: String
    /// The difference in words: `is an integer, expected a string`.
    package let message: String
    /// Whether the message has the value, or a part of it.
    package var showsValue = false
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
        return SchemaFinding(
            kind: .misfit,
            place: place,
            schema: keyword.isEmpty ? schema : "\(schema)/\(keyword)",
            message: "\(subject)\(reason.words(for: tree.values[self.place]))",
            showsValue: reason.showsValue(of: tree.values[self.place])
        )
    }
}

extension Misfit.Reason {
    fileprivate func showsValue(of value: JSON) -> Bool {
        switch self {
        case .value, .other: true
        case .type: value.type == .number
        case .size, .missing: false
        }
    }

    fileprivate func words(for value: JSON) -> String {
        switch self {
        case .value(let expected): return "is \(value.shortened()), expected \(expected)"
        case .type(let types):
            let phrases = types.all.map(\.phrase)
            let type = value.type == .number ? value.shortened() : value.type.phrase
            return "is \(type), expected \(phrases.listed(last: " or "))"
        case .size(let count, let unit, let expected):
            return "has \(count) \(unit)\(count == 1 ? "" : "s"), expected \(expected)"
        case .missing: return "is missing"
        case .other(let words): return words
        }
    }
}
