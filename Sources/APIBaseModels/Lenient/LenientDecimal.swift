import StrictJSON

/// A decimal number that an API sends as a number or as text, such as an amount of money: `19.99` or `"19.99"`.
///
/// ```swift
/// struct Order: Codable {
///     @LenientDecimal var total: Decimal
///     var discount: LenientDecimal?          // may be missing or null
/// }
/// ```
///
/// All digits that a `Decimal` has are kept, 38. An unchanged one is encoded as it came; another as text, which no
/// receiver rounds.
@propertyWrapper public struct LenientDecimal: Sendable, Hashable {
    /// The number.
    public var wrappedValue: Decimal

    /// The decoded number, and its text, which is `nil` for a number in JSON.
    private var decoded: (number: Decimal, text: String?)?

    /// Creates a decimal, which is encoded as text.
    public init(wrappedValue: Decimal) { self.wrappedValue = wrappedValue }

    /// Whether the numbers are equal. How they are encoded does not matter.
    public static func == (left: LenientDecimal, right: LenientDecimal) -> Bool {
        left.wrappedValue == right.wrappedValue
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LenientDecimal: Codable {
    /// Decodes a number, or a text that is a number as a whole.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Decimal.self) {
            wrappedValue = number
            decoded = (number, nil)
            return
        }
        let text = try container.decode(String.self)
        guard let number = Decimal(number: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is not a number.")
        }
        wrappedValue = number
        decoded = (number, text)
    }

    /// Encodes the number as it came, or as text.
    ///
    /// - Throws: `EncodingError` for a value that is not a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard !wrappedValue.isNaN else {
            let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "It is not a number.")
            throw EncodingError.invalidValue(wrappedValue, context)
        }
        guard let decoded, decoded.number == wrappedValue else { return try container.encode(wrappedValue.description) }
        if let text = decoded.text { try container.encode(text) } else { try container.encode(wrappedValue) }
    }
}

extension LenientDecimal: CustomStringConvertible {
    /// The number.
    public var description: String { wrappedValue.description }
}

extension Decimal {
    /// Reads a text that is a number in JSON as a whole. Foundation would read the beginning of `12abc`.
    package init?(number text: String) {
        guard text.utf8.allSatisfy("+-.0123456789Ee".utf8.contains),
            let value = try? StrictJSONDecoder().decode(Decimal.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }
}
