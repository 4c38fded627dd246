/// A day of the Gregorian calendar.
package struct CivilDay: Equatable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Creates the day of a date; `nil` if there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1 else { return nil }
        self.year = year
        self.month = month
        self.day = day
        // A day that does not exist is counted as one of the next month.
        guard CivilDay(daysSince1970: daysSince1970) == self else { return nil }
    }

    /// Creates the day that is `days` after 1 January 1970.
    package init(daysSince1970 days: Int) {
        // Counted from 1 March in eras of 400 years, which are all alike: the leap day is then the last day of its
        // year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The days since 1 January 1970.
    package var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The same day of another year; 28 February for a leap day if that year has none.
    package func inYear(_ year: Int) -> CivilDay? {
        CivilDay(year: year, month: month, day: day) ?? CivilDay(year: year, month: month, day: day - 1)
    }
}
