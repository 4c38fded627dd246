import Foundation

/// The time in which a signature is accepted, in both directions.
struct TimeWindow {
    let allowed: Duration

    /// - Parameters:
    ///   - seconds: When the message was signed, in seconds since 1970.
    ///   - now: The time of the receiver.
    /// - Throws: ``VerificationError/tooOld(age:allowed:)`` or ``VerificationError/fromTheFuture(by:allowed:)``.
    func check(_ seconds: Int64, at now: Date) throws(VerificationError) {
        let age = now.timeIntervalSince1970 - Double(seconds)
        let limit = max(0, allowed / .seconds(1))
        if age > limit { throw .tooOld(age: .clamped(seconds: age), allowed: allowed) }
        // Also false for a date that is not a number.
        guard age >= -limit else { throw .fromTheFuture(by: .clamped(seconds: -age), allowed: allowed) }
    }
}

extension Duration {
    /// This many seconds; at most 10^15, some 30 million years, in either direction.
    static func clamped(seconds: Double) -> Duration {
        .seconds(seconds.isNaN ? 0 : min(max(seconds, -1e15), 1e15))
    }
}

extension Date {
    /// The whole seconds since 1970; `nil` outside of the years 1970 to 9999.
    var wholeSeconds: Int64? {
        let seconds = timeIntervalSince1970.rounded(.down)
        return (0...253_402_300_799).contains(seconds) ? Int64(seconds) : nil
    }
}

extension String {
    /// The number of seconds since 1970 that this is, as 1 to 12 digits; `nil` for anything else.
    var unixSeconds: Int64? {
        guard (1...12).contains(utf8.count), utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(self)
    }
}
