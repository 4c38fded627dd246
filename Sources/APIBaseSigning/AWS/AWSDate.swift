import Foundation

/// A date as AWS writes it in signatures: in UTC, `20130524T000000Z`, and its day alone, `20130524`.
struct AWSDate {
    let time: String
    let day: String

    /// - Throws: ``SigningError/invalidDate``.
    init(_ date: Date) throws(SigningError) {
        guard let seconds = date.wholeSeconds else { throw .invalidDate }
        let (days, rest) = (seconds / 86_400, seconds % 86_400)
        // The days of a year that begins in March, so that leap days come last: 719,468 days lie between the first of
        // March of the year 0 and 1970, and 146,097 days are 400 years.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        day = Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(dayOfMonth, 2)
        time = day + "T" + Self.digits(rest / 3_600 * 10_000 + rest / 60 % 60 * 100 + rest % 60, 6) + "Z"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
