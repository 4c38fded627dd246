import APIBaseKit

/// Bytes and times as people read them.
enum Quantity {
    /// Bytes with a unit: `999 B`, `1.5 kB`, `12.3 MB`, in steps of a thousand.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1_000 else { return "\(count) B" }
        var (value, unit) = (Double(count), 0)
        // What would be rounded to a thousand is one of the next unit.
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return String(format: "%.1f %@", value, units[unit])
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// Seconds, rounded up, as `0:07`, `12:34` or `1:02:03`; `--:--` for what is not known or more than four days.
    static func seconds(_ duration: Duration?) -> String {
        guard let duration, duration < .seconds(360_000) else { return "--:--" }
        let seconds = (Int((max(duration, .zero) / .milliseconds(1)).rounded()) + 999) / 1_000
        let (hours, rest) = (seconds / 3_600, seconds % 3_600)
        let text = String(format: hours > 0 ? "%02d:%02d" : "%d:%02d", rest / 60, rest % 60)
        return hours > 0 ? "\(hours):\(text)" : text
    }

    /// Milliseconds with one digit behind the point.
    static func milliseconds(_ duration: Duration) -> String {
        String(format: "%.1f ms", duration / .milliseconds(1))
    }
}
