import Basics

/// A number of seconds as the fields of caches have it (RFC 9111, section 1.2.2).
enum DeltaSeconds {
    /// The number of seconds that stands for every larger one: 2³¹, some 68 years.
    static let largest: TimeInterval = 2_147_483_648

    /// The number; nil if the text is anything but digits.
    static func value(of text: some StringProtocol) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Double(text) ?? largest, largest)
    }

    /// The text for a number: what is less than a second is left out.
    static func text(_ seconds: TimeInterval) -> String {
        String(Int(min(max(0, seconds), largest)))
    }
}
