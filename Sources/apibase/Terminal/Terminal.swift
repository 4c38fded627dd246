import APIBaseKit

/// A terminal, where something is written to one.
struct Terminal: Sendable {
    /// Whether it shows colours, and whoever sits there wants them.
    let hasColours: Bool
    /// The number of columns that the terminal has now: from 40 to 200, whatever it says.
    let columns: @Sendable () -> Int

    /// The widths that texts are made for.
    static let widths = 40...200

    init(hasColours: Bool, columns: @escaping @Sendable () -> Int) {
        self.hasColours = hasColours
        self.columns = columns
    }

    /// The terminal behind a descriptor; `nil` if there is none.
    ///
    /// No colours are shown if `NO_COLOR` is set to anything (no-color.org), or if the terminal is a `dumb` one.
    init?(_ descriptor: Int32, environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard isatty(descriptor) == 1 else { return nil }
        hasColours = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        columns = {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
            return min(max(Int(size.ws_col), Self.widths.lowerBound), Self.widths.upperBound)
        }
    }
}
