import Foundation
import Basics

/// The `Date` field (RFC 9110, section 5.6.7), made once a second.
final class HTTPDate: Sendable {
    private let last = Locked((second: -1, text: ""))

    func text(for date: Date = Date()) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        let known = last.withLock { $0.second == second ? $0.text : nil }
        if let known { return known }
        let text = Self.format(second)
        last.withLock { $0 = (second, text) }
        return text
    }

    private static func format(_ second: Int) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
        let day = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1_900)"
        return "\(days[Int(parts.tm_wday)]), \(day) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
