import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCore
@testable import APIBaseModels

@Suite struct HTTPDateTests {
    /// Sun, 22 Nov 2026 07:24:35 GMT.
    private static let now = Date(timeIntervalSince1970: 1_795_332_275)

    /// RFC 9110, section 5.6.7.
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
        (" Sun, 06 Nov 1994 08:49:37 GMT\t", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800),
        // The day of the week is not looked at.
        ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ])
    func `A date in each of the three HTTP date formats is parsed`(text: String, seconds: Int) {
        #expect(HTTPDate.date(text, now: Self.now) == Date(timeIntervalSince1970: Double(seconds)))
    }

    /// More than 50 years ahead is a hundred years before.
    @Test(arguments: [
        ("Sunday, 22-Nov-76 07:24:35 GMT", "2076"), ("Sunday, 22-Nov-76 07:24:36 GMT", "1976"),
        ("Monday, 23-Nov-76 00:00:00 GMT", "1976"), ("Saturday, 21-Nov-76 23:59:59 GMT", "2076"),
        ("Sunday, 31-Dec-77 00:00:00 GMT", "1977"), ("Sunday, 01-Jan-75 00:00:00 GMT", "2075"),
        ("Sunday, 01-Jan-00 00:00:00 GMT", "2000"), ("Sunday, 01-Jan-26 00:00:00 GMT", "2026"),
        ("Sunday, 01-Jan-99 00:00:00 GMT", "1999"),
    ])
    func `A two-digit year in an HTTP date is read as a year at most 50 years in the future`(text: String, year: String)
        throws
    {
        let date = try #require(HTTPDate.date(text, now: Self.now))
        #expect(HTTPDate.text(date).split(separator: " ")[3] == year)
    }

    @Test(arguments: [
        "", "0", "-1", "784111777", "Sun", "Sun, ", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 gmt",
        "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 29 Feb 1900 00:00:00 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x", "Sun, 06-Nov-1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT", "Sun, 06 Nov 1994 ０8:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT, x",
    ])
    func `A text that is not a valid HTTP date is parsed as nil`(text: String) {
        #expect(HTTPDate.date(text, now: Self.now) == nil)
    }

    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (784_111_777.9, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_825_600, "Tue, 29 Feb 2000 12:00:00 GMT"),
    ])
    func `A date is written in HTTP's IMF-fixdate format, without fractions of a second`(seconds: Double, text: String)
    {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `Day numbers of a thousand years convert to calendar dates and back`() {
        for days in stride(from: -219_162, to: 146_097, by: 11) {
            let day = CivilDay(daysSince1970: days)
            guard day.daysSince1970 == days, CivilDay(year: day.year, month: day.month, day: day.day) == day else {
                Issue.record("day \(days)")
                return
            }
        }
    }
}
