import APIBaseKit
import Basics

/// The messages about a call besides the body of its reply: attempts that follow, times, headers, progress.
final class CallReport: Sendable {
    private struct State {
        var head: ResponseHead?
        var bar: Int?
        /// Progress is published on another queue where there is a main queue for it, and may come late.
        var isOver = false
    }

    private let extras: Set<HTTPJob.Extra>
    private let channel: Channel
    private let log: CallLog
    /// Shows how much of a file has come, on a terminal.
    private let display: ProgressDisplay?
    private let fileName: String
    private let state = Locked(State())

    init(_ extras: Set<HTTPJob.Extra>, file: String?, on channel: Channel) {
        self.extras = extras
        self.channel = channel
        log = CallLog(extras.contains(.verbose) ? .headers : .line) { channel.line($0) }
        fileName = file.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
        display = file == nil || channel.terminal == nil ? nil : ProgressDisplay(on: channel)
    }

    /// The head of the last reply.
    var head: ResponseHead? { state.withLock { $0.head } }

    @Sendable func take(_ event: CallEvent) {
        switch event {
        case .head(_, let head): state.withLock { $0.head = head }
        case .retrying:
            endBar(isWhole: false)
            log.report(event)
        case .ended(let timings), .failed(_, let timings):
            state.withLock { $0.isOver = true }
            if case .ended = event { endBar(isWhole: true) } else { endBar(isWhole: false) }
            if extras.contains(.verbose) { log.report(event) }
            if extras.contains(.timings) {
                let width = channel.terminal?.columns() ?? 80
                for line in TimingsChart(timings).lines(width: width, style: channel.style) { channel.line(line) }
            }
        default: break
        }
    }

    /// So much of the reply has come.
    func received(_ progress: (received: Int64, expected: Int64)) {
        guard let display, progress.received > 0 else { return }
        let bar = state.withLock { state -> Int? in
            if !state.isOver, state.bar == nil { state.bar = display.add(fileName) }
            return state.bar
        }
        if let bar { display.update(bar, done: progress.received, total: progress.expected) }
    }

    /// No more will come, because that was all, or because the attempt failed.
    private func endBar(isWhole: Bool) {
        let bar = state.withLock { state in
            defer { state.bar = nil }
            return state.bar
        }
        if let bar { display?.end(bar, isWhole: isWhole) }
    }
}
