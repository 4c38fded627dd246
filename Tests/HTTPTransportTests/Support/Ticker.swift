import Dispatch
import Locking

/// Runs its action the first time it is asked to.
final class Once: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

    func run() {
        action.withLock { action in
            defer { action = nil }
            return action
        }?()
    }
}

/// One timer for all that wait, so that they can look at the clock; a timer each would slow what is measured.
final class Ticker: Sendable {
    static let shared = Ticker()

    private let waiting: Locked<[Once]> = Locked([])
    private let timer: Locked<any DispatchSourceTimer>

    private init() {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "Ticker"))
        timer = Locked(source)
        source.setEventHandler { Ticker.shared.tick() }
        source.schedule(deadline: .now(), repeating: .milliseconds(50))
        source.resume()
    }

    func add(_ once: Once) {
        waiting.withLock { $0.append(once) }
    }

    private func tick() {
        let due = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for once in due { once.run() }
    }
}
