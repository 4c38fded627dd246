/// A value of an enumeration to which the API may add cases: a known case, or the raw value as it came.
///
/// ```swift
/// enum OrderState: String { case open, paid, shipped }
///
/// struct Order: Codable {
///     var state: OpenEnum<OrderState>
/// }
///
/// switch order.state {
/// case .known(.paid): …
/// case .known: …
/// case .unknown(let text): …
/// }
/// ```
///
/// An unknown case fails no response, and is encoded as it came.
public enum OpenEnum<Known: RawRepresentable> {
    /// A case of the enumeration.
    case known(Known)
    /// A raw value that the enumeration does not have.
    case unknown(Known.RawValue)

    /// The case; `nil` if it is not known.
    public var value: Known? { if case .known(let value) = self { value } else { nil } }
}

extension OpenEnum: RawRepresentable {
    /// The raw value.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let value): value
        }
    }

    /// The known case with this raw value, or else an unknown one.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
    }
}

extension OpenEnum: Equatable where Known.RawValue: Equatable {
    /// Whether the raw values are equal.
    public static func == (left: OpenEnum, right: OpenEnum) -> Bool { left.rawValue == right.rawValue }
    /// Whether the value is this known case.
    public static func == (left: OpenEnum, right: Known) -> Bool { left.rawValue == right.rawValue }
    /// Whether the value is not this known case.
    public static func != (left: OpenEnum, right: Known) -> Bool { left.rawValue != right.rawValue }
}

extension OpenEnum: Hashable where Known.RawValue: Hashable {
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
    }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// Dictionaries with such keys are encoded as objects.
extension OpenEnum: CodingKeyRepresentable where Known.RawValue == String {}
