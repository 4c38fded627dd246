import Basics

/// One thing about a request that is not as a stub wants it.
public struct Mismatch: Sendable, Hashable, CustomStringConvertible {
    /// What it is about: “method”, “path”, “query item “page””, “body.title”.
    public let field: String
    /// What the stub wants.
    public let expected: String
    /// What the request has.
    public let found: String

    init(_ field: String, expected: String, found: String) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// The difference as part of a sentence.
    public var description: String { "\(field) is \(found), not \(expected)" }

    /// The first of `patterns`, in the order of their names, that the value of that name does not match.
    static func first(
        in patterns: [String: ValuePattern],
        kind: String,
        value: (String) -> String?
    ) -> Mismatch? {
        all(in: patterns, kind: kind, value: value).first
    }

    static func all(
        in patterns: [String: ValuePattern],
        kind: String,
        value: (String) -> String?
    ) -> [Mismatch] {
        patterns.sorted { $0.key < $1.key }.compactMap { name, pattern in
            let found = value(name)
            guard !pattern.matches(found) else { return nil }
            return Mismatch(
                "\(kind) “\(name)”",
                expected: pattern.description,
                found: found.map { "“\($0)”" } ?? "missing"
            )
        }
    }
}
