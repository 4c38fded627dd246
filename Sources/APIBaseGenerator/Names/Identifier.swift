/// Names as Swift writes them.
enum Identifier {
    /// Longer ones help nobody, and files of their name could not be made.
    static let lengthLimit = 100

    /// The name of a property, parameter or constant: `userID`. Not escaped.
    static func member(_ text: String, fallback: String = "value") -> String {
        usable(Words(text).lowerCamel, fallback: fallback)
    }

    /// The name of a type: `UserID`.
    static func type(_ text: String, fallback: String = "Value") -> String {
        let name = usable(Words(text).upperCamel, fallback: fallback)
        // Without a capital at its beginning, it could be the name of a property too.
        return name.first?.isUppercase == true || name.isEmpty ? name : "\(name)Value"
    }

    /// The name with backticks where Swift needs them.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static func usable(_ name: String, fallback: String) -> String {
        var name = name
        if name.count > lengthLimit {
            name = String(name.prefix(lengthLimit))
            // Not within a word.
            if let capital = name.lastIndex(where: \.isUppercase), capital > name.startIndex {
                name = String(name[..<capital])
            }
        }
        guard let first = name.first else { return fallback }
        return first.isNumber ? "_\(name)" : name
    }

    /// One element of what a name calls: `tag` of `tags`.
    static func singular(_ name: String) -> String {
        if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
        for ending in ["sses", "shes", "ches", "xes"] where name.hasSuffix(ending) { return String(name.dropLast(2)) }
        let isPlural = name.hasSuffix("s") && !["ss", "us", "is"].contains { name.hasSuffix($0) }
        return isPlural && name.count > 2 ? String(name.dropLast()) : name
    }

    /// Whether a text is a name as it stands.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9]{0,63}/) != nil && !keywords.contains(text)
    }

    private static let keywords = Set(
        """
        as associatedtype await break case catch class continue default defer deinit do else enum extension \
        fallthrough false fileprivate for func guard if import in init inout internal is let nil operator \
        precedencegroup private protocol public repeat rethrows return self static struct subscript super switch \
        throw throws true try typealias var where while Any Self Type
        """
        .split(separator: " ").map(String.init)
    )
}
