/// A place in a value that contradicts its schema, or that the schema does not know.
package struct SchemaFinding: Hashable, Sendable {
    package enum Kind: Sendable { case misfit, missing, unknownMember }

    package let kind: Kind
    /// The JSON pointer of the place in the value, as a fragment; of a missing member, the one that it would have.
    package let place: String
    /// The JSON pointer of the keyword in the document; of an unknown member, that of the schema that names others.
    package let schema: String
    /// The difference in words: `is 5, expected a string`.
    package let message: String
    /// The same without the value.
    package let messageWithoutValue: String

    init(kind: Kind = .misfit, place: String, schema: String, message: String, messageWithoutValue: String? = nil) {
        (self.kind, self.place, self.schema, self.message) = (kind, place, schema, message)
        self.messageWithoutValue = messageWithoutValue ?? message
    }
}

/// A finding before it is put into words, which only a few of those in variants of a schema are.
struct Misfit: Sendable {
    enum Reason: Sendable {
        /// It has another value than expected: “is 5, expected ” and this.
        case value(String)
        case type(JSONTypes)
        /// The wrong number of characters, elements or members: the number, the word for one, and what was expected.
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
        var kind = SchemaFinding.Kind.misfit
        if case .missing(let name) = reason {
            place += "/\(name.escapedForPointer)"
            kind = .missing
        }
        let subject = tree.isName(self.place) ? "its name " : ""
        let value = tree.values[self.place]
        return SchemaFinding(
            kind: kind,
            place: place,
            schema: keyword.isEmpty ? schema : "\(schema)/\(keyword)",
            message: "\(subject)\(reason.words(for: value))",
            messageWithoutValue: "\(subject)\(reason.words(for: value, showsValue: false))"
        )
    }
}

extension Misfit.Reason {
    /// The difference in words. Of arrays and objects, the value is not shown: it may be long, or hold secrets.
    fileprivate func words(for value: JSON, showsValue: Bool = true) -> String {
        let shown = showsValue && value.type.isScalar ? value.shortened() : nil
        switch self {
        case .value(let expected): return "\(shown.map { "is \($0)" } ?? "does not fit"), expected \(expected)"
        case .type(let types):
            let words = shown.map { value.string == nil ? $0 : "the string \($0)" }
            return "is \(words ?? value.type.phrase), expected \(types.phrase)"
        case .size(let count, let unit, let expected):
            return "has \(count) \(unit)\(count == 1 ? "" : "s"), expected \(expected)"
        case .missing: return "is missing"
        case .other(let words): return words
        }
    }
}
