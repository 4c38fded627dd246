import APIBaseKit
import Basics

/// One thing about a request that is not as a stub wants it, or as it was when it was recorded. Without secrets.
public struct Mismatch: Sendable, Hashable, CustomStringConvertible {
    /// The part of the request: “method”, “path”, “query item “page””, “body.title”.
    public let field: String
    /// The value that the stub wants, or the recording has.
    public let expected: String
    /// The value that the request has.
    public let found: String

    init(_ field: String, expected: String, found: String) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// The difference as part of a sentence.
    public var description: String { "\(field) is \(found), not \(expected)" }

    /// The names of secrets, whose values are not shown in messages: they end up in the logs of test runs.
    private static let secrets = SecretNames(.default, secretHeaders: [])
    private static let wanted = "the secret that the stub wants"

    /// The difference at a place of a document, whose last name may be that of a secret.
    init(at place: String, expected: String, found: String) {
        let name = place.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
        let isSecret = Self.secrets.hasField(String(name))
        self.init(place, expected: isSecret ? Self.wanted : expected, found: isSecret ? "another" : found)
    }

    /// Those of `patterns`, in the order of their names, that the value of that name does not match.
    static func all(
        in patterns: [String: ValuePattern],
        kind: String,
        value: (String) -> String?
    ) -> [Mismatch] {
        patterns.sorted { $0.key < $1.key }.compactMap { name, pattern in
            let found = value(name)
            guard !pattern.matches(found) else { return nil }
            let isSecret = secrets.hasHeader(name) || secrets.hasQueryName(name) || secrets.hasField(name)
            return Mismatch(
                "\(kind) “\(name)”",
                expected: isSecret ? Self.wanted : pattern.description,
                found: found.map { isSecret ? "another" : "“\($0)”" } ?? "missing"
            )
        }
    }
}
