import APIBaseKit
import Basics

/// The bar of one transfer, fed with the events and the byte counts of its calls.
final class TransferBar: Sendable {
    private let display: ProgressDisplay
    private let number: Int
    /// Progress is published on another queue where there is a main queue for it, and may come late.
    private let isOver = Locked(false)

    init(_ name: String, on display: ProgressDisplay) {
        self.display = display
        number = display.add(name)
    }

    /// Takes from the head of a reply how many bytes were there before (RFC 9110, section 14.4). An attempt after another begins
    /// with none.
    @Sendable func take(_ event: CallEvent) {
        switch event {
        case .head(_, let head) where head.statusCode == 206:
            let field = head.headers["Content-Range"] ?? ""
            if let first = Int64(field.drop { $0 != " " }.dropFirst().prefix { $0 != "-" }) { begin(from: first) }
        case .head(_, let head) where head.statusCode == 200: begin(from: 0)
        default: break
        }
    }

    private func begin(from count: Int64) {
        if !isOver.withLock({ $0 }) { display.begin(number, from: count) }
    }

    /// So many bytes have been moved, of so many. A negative total is not known.
    func moved(_ done: Int64, of total: Int64) {
        // Each attempt begins with nothing of nothing.
        guard done > 0, !isOver.withLock({ $0 }) else { return }
        display.update(number, done: done, total: total)
    }

    /// The bar goes; if all was moved, a line stays.
    func end(isWhole: Bool) {
        let isEnd = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isEnd { display.end(number, isWhole: isWhole) }
    }
}
