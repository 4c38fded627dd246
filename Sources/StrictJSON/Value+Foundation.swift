internal import Foundation

extension Value {
    /// The value as a date, by the date strategy.
    func date() throws -> Date {
        guard content.kind != .null else { throw mismatch(Date.self) }
        switch document.settings.dates {
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try .read(self))
        case .secondsSince1970: return Date(timeIntervalSince1970: try .read(self))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try .read(self) / 1000)
        case .iso8601: return try internetDate()
        case .custom(let read): return try read(self)
        // A separate case on Apple systems only; elsewhere it is a custom one.
        #if canImport(Darwin)
        case .formatted(let formatter):
            guard let date = formatter.date(from: try .read(self)) else {
                throw corrupted("Date string does not match format expected by formatter.")
            }
            return date
        @unknown default: throw corrupted("The strategy for dates is not known.")
        #endif
        }
    }

    private func internetDate() throws -> Date {
        let token = content
        guard token.kind == .string else { throw mismatch(String.self) }
        if token.length == 20, let date = document.bytes.internetDate(at: Int(token.start)) { return date }
        guard let date = try? Date.ISO8601FormatStyle().parse(document.bytes.string(token)) else {
            throw corrupted("Expected date string to be ISO8601-formatted.")
        }
        return date
    }

    /// The value as data, by the data strategy.
    func data() throws -> Data {
        guard content.kind != .null else { throw mismatch(Data.self) }
        switch document.settings.data {
        case .deferredToData: return try Data(from: self)
        case .custom(let read): return try read(self)
        default:
            guard let data = Data(base64Encoded: try String.read(self)) else {
                throw corrupted("Encountered Data is not valid Base64.")
            }
            return data
        }
    }

    /// The value as a URL, from a string.
    func url() throws -> URL {
        guard content.kind != .null else { throw mismatch(URL.self) }
        guard let url = URL(string: try String.read(self)) else { throw corrupted("Invalid URL string.") }
        return url
    }

    /// The value as a decimal, from a number.
    func decimal() throws -> Decimal {
        guard content.kind == .number else { throw mismatch(Decimal.self) }
        guard let value = Decimal(string: document.bytes.string(content)) else { throw unrepresentable(Decimal.self) }
        return value
    }
}

extension Bytes {
    /// The date of twenty bytes like `2026-11-22T18:24:55Z`; nil for others, which may still be dates.
    func internetDate(at start: Int) -> Date? {
        guard self[start &+ 4] == Byte.minus, self[start &+ 7] == Byte.minus,
            self[start &+ 10] == Byte.upperT, self[start &+ 13] == Byte.colon,
            self[start &+ 16] == Byte.colon, self[start &+ 19] == Byte.upperZ
        else { return nil }
        func number(_ offset: Int, _ length: Int) -> Int? {
            let (value, end) = digits(0, start &+ offset, start &+ offset &+ length)
            return end == start &+ offset &+ length ? Int(value) : nil
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2)
        else { return nil }
        // Years before 1600, which may use another calendar, and the 29th of February are left to Foundation.
        let length = month == 2 ? 28 : 30 &+ (month &+ month &>> 3) & 1
        guard year >= 1600, month >= 1, month <= 12, day >= 1, day <= length, hour < 24, minute < 60, second < 60
        else { return nil }
        // Days since 1970, with years that begin in March, so that the leap day is the last day.
        let shifted = month < 3 ? year &- 1 : year
        let dayOfYear = (153 &* (month < 3 ? month &+ 9 : month &- 3) &+ 2) / 5 &+ day &- 1
        let leapDays = shifted / 4 &- shifted / 100 &+ shifted / 400
        let days = 365 &* shifted &+ leapDays &+ dayOfYear &- 719_468
        let seconds = ((days &* 24 &+ hour) &* 60 &+ minute) &* 60 &+ second
        return Date(timeIntervalSince1970: Double(seconds))
    }
}
