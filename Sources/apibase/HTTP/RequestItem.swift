/// One item behind the URL: a header, a query item, a field of the body, in the short syntax of HTTPie.
struct RequestItem: Hashable {
    /// The separator between the name and the value.
    enum Separator: String, CaseIterable {
        case header = ":"
        case emptyHeader = ";"
        case query = "=="
        case text = "="
        case json = ":="
        case file = "@"
        case headerFromFile = ":@"
        case queryFromFile = "==@"
        case textFromFile = "=@"
        case jsonFromFile = ":=@"
    }

    let name: String
    let separator: Separator
    let value: String

    /// Reads an item. The first separator counts, and the longest of those that begin there; behind a backslash, a character of
    /// a separator is one of the name.
    ///
    /// - Throws: ``UsageError/badValue(option:value:expected:)`` for what has no separator, or no name before it.
    init(_ text: String) throws(UsageError) {
        // By scalars: with an accent on it, a separator would be another character.
        var rest = text.unicodeScalars[...]
        var name = String.UnicodeScalarView()
        while let scalar = rest.first {
            if scalar == "\\", let next = rest.dropFirst().first, Self.special.contains(next) {
                name.append(next)
                rest = rest.dropFirst(2)
            } else if let separator = Self.separator(at: rest) {
                guard !name.isEmpty else { break }
                self.name = String(name)
                self.separator = separator
                value = String(rest.dropFirst(separator.rawValue.unicodeScalars.count))
                return
            } else {
                name.append(scalar)
                rest = rest.dropFirst()
            }
        }
        throw .badValue(option: "ITEM", value: text, expected: Self.syntax)
    }

    private static func separator(at text: Substring.UnicodeScalarView) -> Separator? {
        let found = longestFirst.first { text.starts(with: $0.rawValue.unicodeScalars) }
        // A header without a value ends with its semicolon.
        return found == .emptyHeader && text.count > 1 ? nil : found
    }

    private static let longestFirst = Separator.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
    private static let special = Set(":;=@\\".unicodeScalars)

    private static let syntax = "Name:value, name==value, name=value, name:=json or name@file"

    /// The syntax, for help texts.
    static let help = """
        Name:value    a header; Name; is an empty one, and Name: leaves out one that is sent otherwise
        name==value   an item of the query
        name=value    a string in the JSON of the body; with --form, a field of the form
        name:=json    a number, true, a list: any JSON
        name@file     a file of the form, with --form; name@file;type=image/png says its type
        :@ ==@ =@ :=@ the same with the value from a file: name=@text.txt, name:=@data.json
        A backslash before one of : ; = @ makes it a part of the name.
        """
}
