import Basics
import HTTPTransport

/// A budget that calls share for repeated attempts: in an outage, repeating every call makes it worse.
///
/// Within ``window``, at most a share of the calls is tried again, and always a few. Share one budget among all calls
/// to the same servers:
///
/// ```swift
/// class BooksAPI: JSONAPI {
///     static let budget = RetryBudget()
///
///     override func configure() {
///         super.configure()
///         retry = RetryPolicy(budget: Self.budget)
///     }
/// }
/// ```
public final class RetryBudget: Sendable {
    /// The window consists of this number of parts, and moves by one part at a time.
    private static let parts = 10

    private struct Part {
        var number: Int64 = 0
        var calls = 0
        var retries = 0
    }

    private struct State {
        var parts = [Part](repeating: Part(), count: RetryBudget.parts)
    }

    /// The number of repeated attempts for each call: 0.1 is one for ten calls.
    public let ratio: Double
    /// The number that is always allowed within ``window``, so that calls are also repeated when there are few.
    public let minimum: Int
    /// The time for which calls and repeated attempts are counted.
    public let window: Duration

    private let state = Locked(State())

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of repeated attempts for each call.
    ///   - minimum: The number that is always allowed within the window.
    ///   - window: The time for which they are counted.
    public init(ratio: Double = 0.1, minimum: Int = 10, window: Duration = .seconds(10)) {
        self.ratio = max(0, ratio)
        self.minimum = max(0, minimum)
        self.window = max(.milliseconds(1), window)
    }

    func count(at clock: any CallClock) { change(at: clock) { $0.calls += 1 } }

    /// Takes one attempt out of the budget; false if it is spent.
    package func spend(at clock: any CallClock) -> Bool {
        change(at: clock) { _ in }
        return state.withLock { state in
            let calls = state.parts.reduce(0) { $0 + $1.calls }
            let retries = state.parts.reduce(0) { $0 + $1.retries }
            guard Double(retries) < max(Double(minimum), (Double(calls) * ratio).rounded(.down)) else { return false }
            let last = state.parts.indices.max { state.parts[$0].number < state.parts[$1].number }
            if let last { state.parts[last].retries += 1 }
            return true
        }
    }

    private func change(at clock: any CallClock, _ change: (inout Part) -> Void) {
        let time = WallClock.shared.now + clock.offset
        let number = Int64(min(time / (window / Self.parts), 1e18))
        state.withLock { state in
            for index in state.parts.indices where state.parts[index].number <= number - Int64(Self.parts) {
                state.parts[index] = Part(number: state.parts[index].number)
            }
            let index = Int(number % Int64(Self.parts))
            if state.parts[index].number < number { state.parts[index] = Part(number: number) }
            change(&state.parts[index])
        }
    }
}
