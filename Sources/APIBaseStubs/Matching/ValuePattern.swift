/// A condition on the value of a header, a query item or a form field. A string literal matches exactly that text.
public struct ValuePattern: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The pattern as text for a message.
    public let description: String
    let matches: @Sendable (_ value: String?) -> Bool

    init(_ description: String, matches: @escaping @Sendable (String?) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// Matches exactly this text.
    public init(stringLiteral value: String) { self = .equals(value) }

    /// Matches exactly this text.
    public static func equals(_ text: String) -> ValuePattern { ValuePattern("“\(text)”") { $0 == text } }

    /// Matches values that contain this text.
    public static func contains(_ text: String) -> ValuePattern {
        ValuePattern("something with “\(text)”") { $0?.contains(text) ?? false }
    }

    /// Matches any value, also an empty one.
    public static let any = ValuePattern("anything") { $0 != nil }

    /// Matches if there is no value.
    public static let absent = ValuePattern("nothing") { $0 == nil }

    /// Matches the values that `isMatch` accepts. Messages show `description` for the expected value.
    public static func matching(
        _ description: String,
        _ isMatch: @escaping @Sendable (String) -> Bool
    ) -> ValuePattern {
        ValuePattern(description) { $0.map(isMatch) ?? false }
    }
}
