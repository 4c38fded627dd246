/// A number of JSON by its value, without loss.
struct ExactNumber: Hashable, Sendable {
    let isNegative: Bool
    /// The digits without zeros at either end; none for zero.
    let digits: [UInt8]
    /// The number is its digits as an integer, times ten to the power of this.
    let exponent: Int

    /// `nil` if the text is no number of JSON.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        func takeDigits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            rest = rest.dropFirst(digits.count)
            return digits
        }
        func take(_ characters: String) -> UInt8? {
            rest.first.flatMap { characters.utf8.contains($0) ? rest.popFirst() : nil }
        }
        let isMinus = take("-") != nil
        let whole = takeDigits()
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        var fraction: ArraySlice<UInt8> = []
        if take(".") != nil {
            fraction = takeDigits()
            if fraction.isEmpty { return nil }
        }
        var power = 0
        if take("eE") != nil {
            let isSmall = take("+-") == UInt8(ascii: "-")
            let digits = takeDigits()
            if digits.isEmpty { return nil }
            // Larger ones only have to be larger than all that can be written out.
            power = min(Int(String(decoding: digits, as: UTF8.self)) ?? .max, 1 << 40) * (isSmall ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let all = (whole + fraction).map { $0 - UInt8(ascii: "0") }.drop { $0 == 0 }
        let zeros = all.reversed().prefix { $0 == 0 }.count
        digits = Array(all.dropLast(zeros))
        isNegative = isMinus && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : power - fraction.count + zeros
    }

    var isInteger: Bool { exponent >= 0 }

    /// Whether it is an integer times the other number, which is not zero.
    func isMultiple(of other: ExactNumber) -> Bool {
        if digits.isEmpty { return true }
        // An integer times the other, which ends in as many zeros as the difference, would have a smaller exponent.
        guard exponent >= other.exponent else { return false }
        let divisor = other.digits.reduce(into: UInt64?(0)) { sum, digit in
            let (product, isOver) = (sum ?? .max).multipliedReportingOverflow(by: 10)
            // Half of the room is left for the sums below.
            sum = isOver || product > UInt64.max / 2 - 9 ? nil : product + UInt64(digit)
        }
        guard let divisor, divisor > 0 else { return digits == other.digits }
        func multiplied(_ left: UInt64, _ right: UInt64) -> UInt64 {
            divisor.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
        }
        var remainder = digits.reduce(0) { (multiplied($0, 10 % divisor) + UInt64($1)) % divisor }
        var (base, power) = (10 % divisor, exponent - other.exponent)
        while power > 0 {
            if power & 1 == 1 { remainder = multiplied(remainder, base) }
            base = multiplied(base, base)
            power >>= 1
        }
        return remainder == 0
    }
}

extension ExactNumber: Comparable {
    static func < (left: ExactNumber, right: ExactNumber) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        return left.isNegative ? right.isSmaller(than: left) : left.isSmaller(than: right)
    }

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    private func isSmaller(than other: ExactNumber) -> Bool {
        let (size, otherSize) = (digits.count + exponent, other.digits.count + other.exponent)
        return size == otherSize ? digits.lexicographicallyPrecedes(other.digits) : size < otherSize
    }
}
