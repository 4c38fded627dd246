import APIBaseKit
import Basics

/// One difference between a request and what a stub wants or a recording has. It contains no secrets.
public struct Mismatch: Sendable, Hashable, CustomStringConvertible {
    /// The part of the request: “method”, “path”, “query item “page””, “body.title”.
    public let field: String
    /// The value that the stub wants, or the recording has.
    public let expected: String
    /// The value that the request has.
    public let found: String

    package init(_ field: String, expected: String, found: String) {
        self.field = field
        self.expected = expected
        self.found = found
    }

    /// The difference as part of a sentence.
    public var description: String { "\(field) is \(found), not \(expected)" }

    private static let wanted = "the secret that the stub wants"

    /// A difference at a place such as `body.user.password`. The values are left out if the last name is a secret's.
    package init(at place: String, expected: String, found: String) {
        let name = place.split(separator: ".").last?.prefix { $0 != "[" } ?? ""
        let isSecret = SecretNames.ofMessages.hasField(String(name))
        self.init(place, expected: isSecret ? Self.wanted : expected, found: isSecret ? "another" : found)
    }

    static func all(
        in patterns: [String: ValuePattern],
        kind: String,
        value: (String) -> String?
    ) -> [Mismatch] {
        let secrets = SecretNames.ofMessages
        return patterns.sorted { $0.key < $1.key }.compactMap { name, pattern in
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

extension Sequence {
    /// The three elements with the smallest distance, the nearest first. Elements of equal distance keep their order.
    package func nearest(by distance: (Element) -> Int) -> [Element] {
        enumerated().map { (offset: $0.offset, distance: distance($0.element), element: $0.element) }
            .sorted { ($0.distance, $0.offset) < ($1.distance, $1.offset) }
            .prefix(3)
            .map(\.element)
    }
}
