import APIBaseKit

extension ExchangeLog.Entry {
    /// Method, path, status and duration in columns. On a terminal, the path is as short as it has to be, and a bar shows the
    /// duration: an eighth of a column for a millisecond.
    func line(for channel: Channel) -> String {
        let time = String(format: "%8.1f ms", duration / .milliseconds(1))
        guard let terminal = channel.terminal else {
            return row(path.padding(toLength: max(66, path.count), withPad: " ", startingAt: 0), "---", time)
        }
        let width = min(66, max(16, terminal.columns() - 60))
        let bar = Bar.text(to: duration / .milliseconds(64), width: 8).padded(to: 8)
        let status = channel.style.text("---", as: .bad)
        return row(path.shortened(to: width).padded(to: width), status, "\(time) \(channel.style.text(bar, as: .bar))")
    }

    private func row(_ path: String, _ noStatus: String, _ time: String) -> String {
        let method = method.padding(toLength: 6, withPad: " ", startingAt: 0)
        return "  " + [method, path, statusCode.map(String.init) ?? noStatus, time].joined(separator: " ")
    }
}
