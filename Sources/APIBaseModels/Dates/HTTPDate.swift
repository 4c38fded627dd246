import Basics

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// Reads a date in one of the three forms; `nil` for any other text. Names are case-sensitive, and every part is
    /// required. The day of the week is not compared with the date.
    ///
    /// A year of two digits that would be more than 50 years after `now` is in the past.
    package static func date(_ text: String, now: Date = Date()) -> Date? {
        text.withBytes { bytes in
            var scan = DateScanner(bytes.trimmed)
            if scan.takesName(of: longWeekdays) != nil { return rfc850(&scan, now: now) }
            guard scan.takesName(of: weekdays) != nil else { return nil }
            return scan.takes(",") ? fixed(&scan) : asctime(&scan)
        }
    }

    /// The date in the form to send, `Sun, 06 Nov 1994 08:49:37 GMT`, without fractions of a second.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let day = CivilDay(daysSince1970: Int((seconds / 86400).rounded(.down)))
        let second = Int(seconds) - day.daysSince1970 * 86400
        let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        let weekday = weekdays[((day.daysSince1970 + 3) % 7 + 7) % 7]
        return "\(weekday), \(digits(day.day, 2)) \(months[day.month - 1]) \(digits(day.year, 4)) \(time) GMT"
    }

    /// Reads the part after `Sun,` in `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixed(_ scan: inout DateScanner) -> Date? {
        guard scan.takes(" "), let day = scan.number(digits: 2), scan.takes(" "),
            let month = scan.takesName(of: months),
            scan.takes(" "), let year = scan.number(digits: 4), scan.takes(" "), let time = scan.time(),
            scan.takes(" GMT")
        else { return nil }
        return date(CivilDay(year: year, month: month + 1, day: day), time, scan)
    }

    /// Reads the part after `Sunday` in `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ scan: inout DateScanner, now: Date) -> Date? {
        guard scan.takes(", "), let day = scan.number(digits: 2), scan.takes("-"),
            let month = scan.takesName(of: months), scan.takes("-"), let short = scan.number(digits: 2),
            scan.takes(" "),
            let time = scan.time(), scan.takes(" GMT")
        else { return nil }
        let today = CivilDay(daysSince1970: Int((now.timeIntervalSince1970 / 86400).rounded(.down)))
        // The last year with these digits of the hundred years that end 50 years from now.
        let latest = today.year + 50
        let year = latest - ((latest - short) % 100 + 100) % 100
        let date = date(CivilDay(year: year, month: month + 1, day: day), time, scan)
        guard year == latest, let date, let limit = today.inYear(latest) else { return date }
        let rest = now.timeIntervalSince1970 - Double(today.daysSince1970) * 86400
        guard date.timeIntervalSince1970 > Double(limit.daysSince1970) * 86400 + rest else { return date }
        return self.date(CivilDay(year: year - 100, month: month + 1, day: day), time, scan)
    }

    /// Reads the part after `Sun` in `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ scan: inout DateScanner) -> Date? {
        guard scan.takes(" "), let month = scan.takesName(of: months), scan.takes(" "),
            let day = scan.takes(" ") ? scan.number(digits: 1) : scan.number(digits: 2), scan.takes(" "),
            let time = scan.time(), scan.takes(" "), let year = scan.number(digits: 4)
        else { return nil }
        return date(CivilDay(year: year, month: month + 1, day: day), time, scan)
    }

    private static func date(_ day: CivilDay?, _ time: Int, _ scan: DateScanner) -> Date? {
        guard let day, scan.isAtEnd else { return nil }
        return Date(timeIntervalSince1970: Double(day.daysSince1970 * 86400 + time))
    }

    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static let weekdays: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longWeekdays: [StaticString] = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

/// The part of a date's text that has not been read.
private struct DateScanner {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads this text, if it comes next.
    mutating func takes(_ text: StaticString) -> Bool {
        let comesNext = text.withUTF8Buffer { rest.starts(with: $0) }
        if comesNext { rest = rest.dropFirst(text.utf8CodeUnitCount) }
        return comesNext
    }

    /// Reads one of these names, if one comes next, and returns its index.
    mutating func takesName(of names: [StaticString]) -> Int? {
        names.firstIndex { takes($0) }
    }

    /// Reads a number with this many digits.
    mutating func number(digits: Int) -> Int? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(\.isASCIIDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Reads `08:49:37`, in seconds since midnight. The second 60 is a leap second.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, takes(":"), let minute = number(digits: 2), minute < 60,
            takes(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
