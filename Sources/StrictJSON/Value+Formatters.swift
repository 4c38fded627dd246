internal import Foundation

// The strategy that goes by a formatter is a case of its own on Apple systems only; elsewhere it is a custom one.
extension Value {
    #if canImport(Darwin)
    /// The value as a date, by a closure or a formatter.
    func specialDate() throws -> Date {
        if case .custom(let read) = document.settings.dates { return try read(self) }
        guard case .formatted(let formatter) = document.settings.dates, let date = formatter.date(from: try string())
        else { throw corrupted("Date string does not match format expected by formatter.") }
        return date
    }
    #else
    /// The value as a date, by a closure.
    func specialDate() throws -> Date {
        guard case .custom(let read) = document.settings.dates else {
            throw corrupted("The strategy for dates is not known.")
        }
        return try read(self)
    }
    #endif
}
