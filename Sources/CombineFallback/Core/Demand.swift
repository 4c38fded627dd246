extension Subscribers {
    /// The number of values that a subscriber asks for.
    ///
    /// Unlimited demand stays unlimited whatever is added to it or taken from it. A sum too large to count is unlimited;
    /// a difference below zero is zero.
    public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The count, or one more than `Int.max` for unlimited demand.
        @usableFromInline let rawValue: UInt

        @inlinable init(rawValue: UInt) { self.rawValue = Swift.min(rawValue, UInt(Int.max) + 1) }

        /// As many values as the publisher has.
        public static var unlimited: Demand { @inlinable get { Demand(rawValue: UInt(Int.max) + 1) } }

        /// No values.
        public static var none: Demand { @inlinable get { Demand(rawValue: 0) } }

        /// At most `value` values. A negative `value` is a programmer error.
        @inlinable public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "demand cannot be negative")
            return Demand(rawValue: UInt(value))
        }

        /// The count; nil if the demand is unlimited.
        @inlinable public var max: Int? { Int(exactly: rawValue) }

        /// Decodes what ``encode(to:)`` wrote; a number too large to count is unlimited demand.
        public init(from decoder: any Decoder) throws {
            self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
        }

        /// Encodes the count as one number.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// `unlimited` or `max(count)`.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
    }
}
