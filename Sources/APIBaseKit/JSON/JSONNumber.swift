/// A number of JSON by its exact value, however many digits it has.
package struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    private let isNegative: Bool
    /// The digits that count; none for zero.
    private let digits: String
    /// The power of ten by which the digits are multiplied; if no integer is so large, the exponent as written.
    private let exponent: Int?
    private let farExponent: String?

    /// - Parameter text: A number as JSON writes it (RFC 8259, section 6).
    init(_ text: String) {
        description = text
        let halves = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = (halves.first ?? "").drop { $0 == "-" }
        let pieces = mantissa.split(separator: ".", maxSplits: 1)
        let fraction = pieces.count > 1 ? pieces[1] : ""
        let all = ((pieces.first ?? "") + fraction).drop { $0 == "0" }
        let zeros = all.reversed().prefix { $0 == "0" }.count
        digits = String(all.dropLast(zeros))
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        let power = halves.count > 1 ? String(halves[1]) : "0"
        if digits.isEmpty {
            (exponent, farExponent) = (0, nil)
        } else if let power = Int(power), abs(power) < Int.max / 2 {
            (exponent, farExponent) = (power - fraction.count + zeros, nil)
        } else {
            (exponent, farExponent) = (nil, power)
        }
    }

    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        (left.isNegative, left.digits, left.exponent, left.farExponent)
            == (right.isNegative, right.digits, right.exponent, right.farExponent)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(digits)
        hasher.combine(exponent)
    }

    /// The value in one spelling.
    var canonicalText: String {
        digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)e\(exponent.map(String.init) ?? farExponent ?? "")"
    }
}
