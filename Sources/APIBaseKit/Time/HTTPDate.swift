import Basics

/// Dates as HTTP writes them (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Reads a date in one of the three forms; nil for any other text. Names are compared with case, and nothing may be left
    /// out. That the day of the week is the right one is not checked.
    ///
    /// A year of two digits that would be more than 50 years ahead of `now` is one of the past.
    static func date(_ text: String, now: Date = Date()) -> Date? {
        text.withBytes { bytes in
            var scan = HTTPDateScan(bytes.trimmed)
            if scan.takesName(of: longWeekdays) != nil { return rfc850(&scan, now: now) }
            guard scan.takesName(of: weekdays) != nil else { return nil }
            return scan.takes(",") ? fixed(&scan) : asctime(&scan)
        }
    }

    /// The date in the form that is to be sent, as `Sun, 06 Nov 1994 08:49:37 GMT`. Parts of a second are left out.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let day = CivilDay(daysSince1970: Int((seconds / 86400).rounded(.down)))
        let second = Int(seconds) - day.daysSince1970 * 86400
        let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
        let weekday = weekdays[((day.daysSince1970 + 3) % 7 + 7) % 7]
        return "\(weekday), \(digits(day.day, 2)) \(months[day.month - 1]) \(digits(day.year, 4)) \(time) GMT"
    }

    /// Reads the part behind `Sun,` in `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixed(_ scan: inout HTTPDateScan) -> Date? {
        guard scan.takes(" "), let day = scan.number(digits: 2), scan.takes(" "),
            let month = scan.takesName(of: months),
            scan.takes(" "), let year = scan.number(digits: 4), scan.takes(" "), let time = scan.time(),
            scan.takes(" GMT")
        else { return nil }
        return date(CivilDay(year: year, month: month + 1, day: day), time, scan)
    }

    /// Reads the part behind `Sunday` in `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ scan: inout HTTPDateScan, now: Date) -> Date? {
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

    /// Reads the part behind `Sun` in `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ scan: inout HTTPDateScan) -> Date? {
        guard scan.takes(" "), let month = scan.takesName(of: months), scan.takes(" "),
            let day = scan.takes(" ") ? scan.number(digits: 1) : scan.number(digits: 2), scan.takes(" "),
            let time = scan.time(), scan.takes(" "), let year = scan.number(digits: 4)
        else { return nil }
        return date(CivilDay(year: year, month: month + 1, day: day), time, scan)
    }

    private static func date(_ day: CivilDay?, _ time: Int, _ scan: HTTPDateScan) -> Date? {
        guard let day, scan.isAtEnd else { return nil }
        return Date(timeIntervalSince1970: Double(day.daysSince1970 * 86400 + time))
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
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
