internal import Foundation

extension String {
    /// The name in camel case, if it is in snake case: `first_name` becomes `firstName`. Underscores at both ends stay.
    func camelCased() -> String {
        guard utf8.contains(UInt8(ascii: "_")),
            let first = firstIndex(where: { $0 != "_" }), let last = lastIndex(where: { $0 != "_" })
        else { return self }
        let words = self[first...last].split(separator: "_")
        guard words.count > 1 else { return self }
        let joined = words[0].lowercased() + words[1...].map(\.capitalized).joined()
        return self[..<first] + joined + self[index(after: last)...]
    }
}
