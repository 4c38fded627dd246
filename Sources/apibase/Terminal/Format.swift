import APIBaseKit

enum Format {
    /// Bytes with a decimal unit: `999 B`, `1.5 kB`, `12.3 MB`.
    static func bytes(_ count: Int64) -> String {
        guard count >= 1_000 else { return "\(count) B" }
        var (value, unit) = (Double(count), 0)
        // 999.95 would be rounded to 1000.0.
        while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
        return String(format: "%.1f %@", value, units[unit])
    }

    private static let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// Seconds, rounded up: `0:07`, `12:34` or `1:02:03`. `--:--` for an unknown duration or one of 100 hours or more.
    static func seconds(_ duration: Duration?) -> String {
        guard let duration, duration < .seconds(360_000) else { return "--:--" }
        let seconds = (Int((max(duration, .zero) / .milliseconds(1)).rounded()) + 999) / 1_000
        let (hours, rest) = (seconds / 3_600, seconds % 3_600)
        let text = String(format: hours > 0 ? "%02d:%02d" : "%d:%02d", rest / 60, rest % 60)
        return hours > 0 ? "\(hours):\(text)" : text
    }

    /// A bar of block characters, in steps of an eighth of a column, from `start` to `end`, where 1 is `width` columns.
    /// The start is rounded down to a whole column. A bar of any length is at least an eighth of a column long.
    static func bar(from start: Double = 0, to end: Double, width: Int) -> String {
        func clamped(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
        let (start, end) = (clamped(start), clamped(end))
        guard end > start, width > 0 else { return "" }
        let first = min(Int(start * Double(width)), width - 1)
        let eighths = max(1, Int((end * Double(width) * 8).rounded()) - first * 8)
        let part = eighths % 8 == 0 ? "" : String(parts[eighths % 8 - 1])
        return String(repeating: " ", count: first) + String(repeating: "█", count: eighths / 8) + part
    }

    private static let parts = Array("▏▎▍▌▋▊▉")
}

extension String {
    /// The text with control characters and direction controls (Unicode, UAX #9) escaped as `\u001B`, except line feeds
    /// and tabs. A terminal would obey them.
    var forTerminal: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isControl ? String(format: "\\u%04X", scalar.value) : String(scalar)
        }
    }

    /// The approximate number of columns: two for Chinese, Japanese and Korean characters and most emoji.
    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text in at most `width` columns. A longer text loses its middle.
    func shortened(to width: Int) -> String {
        guard columns > width else { return self }
        var (start, end, used) = (Substring(), Substring(), (start: 0, end: 0))
        var rest = self[...]
        while true {
            let isStart = used.start <= used.end
            guard let next = isStart ? rest.popFirst() : rest.popLast(), used.start + used.end + next.columns < width
            else { return "\(start)…\(end)" }
            if isStart {
                start.append(next)
                used.start += next.columns
            } else {
                end.insert(next, at: end.startIndex)
                used.end += next.columns
            }
        }
    }

    /// The text with spaces after it, to fill `width` columns.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// The text with two spaces before each line.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
            .joined(separator: "\n")
    }
}

extension Character {
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first, first.properties.generalCategory != .nonspacingMark else { return 0 }
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0x09, 0x0A: false
        // Line and paragraph separators, and deprecated direction controls.
        case 0x2028, 0x2029, 0x206A...0x206F: true
        default: properties.generalCategory == .control || properties.isBidiControl
        }
    }
}
