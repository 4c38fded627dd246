import APIBaseKit

struct Terminal: Sendable {
    /// Whether it shows colors, and the user wants them.
    let hasColors: Bool
    /// The current number of columns, limited to ``widths``.
    let columns: @Sendable () -> Int

    static let widths = 40...200
}

extension Terminal {
    /// `nil` without a terminal. It has no colors if `NO_COLOR` is not empty (no-color.org), or if `TERM` is `dumb`.
    init?(_ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard isatty(descriptor) == 1 else { return nil }
        hasColors = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        columns = {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
            return min(max(Int(size.ws_col), Self.widths.lowerBound), Self.widths.upperBound)
        }
    }
}

struct Style: Sendable {
    let hasColors: Bool

    static let plain = Style(hasColors: false)

    /// The role of a text. The raw value is its color, one of those that every terminal has (ECMA-48, section 8.3.117).
    enum Role: Int {
        case bad = 31
        case good = 32
        case number = 33
        case key = 34
        case literal = 35
        case bar = 36
        case faint = 90
    }

    func text(_ text: some StringProtocol, as role: Role) -> String {
        hasColors && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : String(text)
    }
}
