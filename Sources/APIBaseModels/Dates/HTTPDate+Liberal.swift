import Basics

extension HTTPDate {
    /// Reads a date as servers really write it, for what is only a wait: in the forms of HTTP, in that of RFC 3339, and
    /// in those of HTTP with a day of one digit, a year of two, names in any case or none of the weekday, hyphens or
    /// blanks, and `UTC`, `Z` or an offset such as `+0100` in place of `GMT`. `nil` for any other text.
    ///
    /// A cache must not be liberal with `Expires` (RFC 9111, section 5.3), and dates that are sent back are compared
    /// by the server as text.
    package static func liberalDate(_ text: String, now: Date = Date()) -> Date? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        return date(trimmed, now: now) ?? Date(internetText: trimmed) ?? LooseDate(trimmed).flatMap { loose($0, now) }
    }

    private static func loose(_ parts: LooseDate, _ now: Date) -> Date? {
        let year = parts.year < 100 ? twoDigitYear(parts.year, now) : parts.year
        let day = "\(digits(parts.day, 2)) \(parts.month) \(digits(year, 4))"
        return date("Sun, \(day) \(parts.time) GMT", now: now)?.addingTimeInterval(-Double(parts.offset))
    }

    private static func twoDigitYear(_ short: Int, _ now: Date) -> Int {
        let latest = CivilDay(daysSince1970: Int((now.timeIntervalSince1970 / 86400).rounded(.down))).year + 50
        return latest - ((latest - short) % 100 + 100) % 100
    }
}

extension String {
    /// The values of a field that should be there once, but may have come several times, so that its values are in a
    /// list. A value may have a comma after its first word, as dates do. What cannot be read is left out.
    package func repeatedValues<Value>(_ read: (String) -> Value?) -> [Value] {
        if let value = read(trimmingCharacters(in: .whitespaces)) { return [value] }
        var (values, word): ([Value], String?) = ([], nil)
        for part in parts(at: ",") {
            if let value = word.flatMap({ read("\($0), \(part)") }) ?? read(part) { values.append(value) }
            word = part
        }
        return values
    }
}

/// The parts of a date in any order of its words, with their values not yet checked.
private struct LooseDate {
    private(set) var day = -1, year = -1
    private(set) var month = "", time = ""
    /// The seconds by which the time is ahead of UTC.
    private(set) var offset = 0

    init?(_ text: String) {
        for word in text.utf8.split(whereSeparator: { $0.isBlank || $0 == UInt8(ascii: ",") }) {
            guard take(String(Substring(word))) else { return nil }
        }
        guard day >= 0, year >= 0, !month.isEmpty, !time.isEmpty else { return nil }
    }

    private mutating func take(_ word: String) -> Bool {
        if word.utf8.contains(UInt8(ascii: ":")), word.utf8.first?.isASCIIDigit == true { return takeTime(word) }
        if let offset = Self.offset(word) {
            self.offset = offset
            return !time.isEmpty
        }
        return word.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { take(part: String($0)) }
    }

    /// Takes a name, the day or the year.
    private mutating func take(part: String) -> Bool {
        let name = part.prefix(3).capitalized
        if part.utf8.allSatisfy(\.isASCIIDigit), let number = Int(part), part.utf8.count <= 4 {
            if day < 0, part.utf8.count <= 2 {
                day = number
            } else if year < 0, part.utf8.count != 3 {
                year = number
            } else {
                return false
            }
            return true
        }
        guard month.isEmpty, Self.months.contains(name) else {
            return Self.weekdays.contains {
                $0.hasPrefix(name) && (part.utf8.count == 3 || $0.equalsIgnoringCase(part))
            }
        }
        month = name
        return true
    }

    /// Takes `8:49:37` or `08:49`, the seconds of which are zero.
    private mutating func takeTime(_ word: String) -> Bool {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard time.isEmpty, 2...3 ~= parts.count, parts.allSatisfy({ 1...2 ~= $0.utf8.count }) else { return false }
        let padded = (parts + (parts.count == 2 ? ["00"] : [])).map { $0.utf8.count == 1 ? "0\($0)" : String($0) }
        time = padded.joined(separator: ":")
        return true
    }

    private static func offset(_ word: String) -> Int? {
        if ["GMT", "UTC", "UT", "Z"].contains(word.uppercased()) { return 0 }
        let digits = word.dropFirst().filter { $0 != ":" }
        guard word.hasPrefix("+") || word.hasPrefix("-"), digits.utf8.count == 4,
            digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits), number % 100 < 60
        else { return nil }
        return (word.hasPrefix("-") ? -60 : 60) * (number / 100 * 60 + number % 100)
    }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
