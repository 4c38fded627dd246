internal import Foundation

extension Bytes {
    /// The date that twenty bytes like `2026-11-22T18:24:55Z` stand for; nil for anything else, which may still be a date.
    func internetDate(at start: Int) -> Date? {
        guard self[start &+ 4] == Byte.minus, self[start &+ 7] == Byte.minus,
            self[start &+ 10] == Byte.upperT, self[start &+ 13] == Byte.colon,
            self[start &+ 16] == Byte.colon, self[start &+ 19] == Byte.upperZ
        else { return nil }
        guard let century = pair(start), let yearOfCentury = pair(start &+ 2), let month = pair(start &+ 5),
            let day = pair(start &+ 8), let hour = pair(start &+ 11), let minute = pair(start &+ 14),
            let second = pair(start &+ 17)
        else { return nil }
        let year = century &* 100 &+ yearOfCentury
        // Before 1600 the calendar may be another; and the 29th of February is left to those who know the leap years.
        let length = month == 2 ? 28 : 30 &+ (month &+ month &>> 3) & 1
        guard year >= 1600, month >= 1, month <= 12, day >= 1, day <= length, hour < 24, minute < 60, second < 60
        else { return nil }
        // Days since 1970, with years that begin in March: the leap day is their last.
        let shifted = month < 3 ? year &- 1 : year
        let dayOfYear = (153 &* (month < 3 ? month &+ 9 : month &- 3) &+ 2) / 5 &+ day &- 1
        let leapDays = shifted / 4 &- shifted / 100 &+ shifted / 400
        let days = 365 &* shifted &+ leapDays &+ dayOfYear &- 719_468
        let seconds = ((days &* 24 &+ hour) &* 60 &+ minute) &* 60 &+ second
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// The value of two digits.
    @inline(__always) private func pair(_ at: Int) -> Int? {
        let tens = self[at] &- Byte.zero
        let ones = self[at &+ 1] &- Byte.zero
        guard tens < 10, ones < 10 else { return nil }
        return Int(tens) &* 10 &+ Int(ones)
    }
}
