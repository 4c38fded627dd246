import Basics

/// A place in the text of a date, which moves on with what is taken.
struct HTTPDateScan {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes this text, if it comes next.
    mutating func takes(_ text: StaticString) -> Bool {
        let comesNext = text.withUTF8Buffer { rest.starts(with: $0) }
        if comesNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return comesNext
    }

    /// Takes one of these names, if one comes next, and tells its place among them.
    mutating func takesName(of names: [StaticString]) -> Int? {
        names.firstIndex { takes($0) }
    }

    /// Takes a number of so many digits.
    mutating func number(digits: Int) -> Int? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Takes `08:49:37`, in seconds since midnight. The second 60 is a leap second.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, takes(":"), let minute = number(digits: 2), minute < 60,
            takes(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
