/// A JSON number by its exact value, with any number of digits.
package struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as it was written.
    package let description: String
    /// The value as text. Equal values have the same text.
    let canonicalText: String

    /// - Parameter text: A number in the syntax of JSON (RFC 8259, section 6).
    init(_ text: String) {
        description = text
        let halves = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = (halves.first ?? "").drop { $0 == "-" }
        let pieces = mantissa.split(separator: ".", maxSplits: 1)
        let fraction = pieces.count > 1 ? pieces[1] : ""
        let digits = ((pieces.first ?? "") + fraction).drop { $0 == "0" }
        guard !digits.isEmpty else {
            canonicalText = "0"
            return
        }
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        var exponent = halves.count > 1 ? String(halves[1]) : "0"
        // An exponent that does not fit stays as it was written.
        if let power = Int(exponent), abs(power) < Int.max / 2 { exponent = String(power - fraction.count + zeros) }
        canonicalText = "\(text.hasPrefix("-") ? "-" : "")\(digits.dropLast(zeros))e\(exponent)"
    }

    package static func == (left: JSONNumber, right: JSONNumber) -> Bool { left.canonicalText == right.canonicalText }

    package func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}
