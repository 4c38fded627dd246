/// A condition on the value of a header, a query item or a form field. A string literal stands for exactly that text.
public struct ValuePattern: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as text for a message.
    public let description: String
    let matches: @Sendable (_ value: String?) -> Bool

    init(_ description: String, matches: @escaping @Sendable (String?) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// Exactly this text.
    public init(stringLiteral value: String) { self = .equals(value) }

    /// Exactly this text.
    public static func equals(_ text: String) -> ValuePattern { ValuePattern("“\(text)”") { $0 == text } }

    /// This text somewhere in it.
    public static func contains(_ text: String) -> ValuePattern {
        ValuePattern("something with “\(text)”") { $0?.contains(text) ?? false }
    }

    /// Any text, an empty one included.
    public static let any = ValuePattern("anything") { $0 != nil }

    /// Not there at all.
    public static let absent = ValuePattern("nothing") { $0 == nil }

    /// A pattern for values that `isMatch` accepts; `description` says in a message what those are.
    public static func matching(
        _ description: String,
        _ isMatch: @escaping @Sendable (String) -> Bool
    ) -> ValuePattern {
        ValuePattern(description) { $0.map(isMatch) ?? false }
    }
}
