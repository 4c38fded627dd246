import APIBaseKit
import Basics
import HostileServer

/// What a publisher delivered, in order.
final class Outcome<Output, Failure: Error>: Sendable {
    private let state = Locked((values: [Output](), completion: Subscribers.Completion<Failure>?.none))

    var values: [Output] { state.withLockUnchecked { $0.values } }
    var completion: Subscribers.Completion<Failure>? { state.withLock { $0.completion } }

    var failure: Failure? {
        guard case .failure(let error) = completion else { return nil }
        return error
    }

    var isFinished: Bool {
        guard case .finished = completion else { return false }
        return true
    }

    func subscribe<P: Publisher>(
        to publisher: P,
        end: @escaping () -> Void = {}
    ) -> AnyCancellable where P.Output == Output, P.Failure == Failure {
        publisher.sink { completion in
            self.state.withLock { $0.completion = completion }
            end()
        } receiveValue: { value in
            self.state.withLock { $0.values.append(value) }
        }
    }
}

/// What a publisher delivers while it is subscribed to, which is all of it if it answers at once.
func outcome<P: Publisher>(of publisher: P) -> Outcome<P.Output, P.Failure> {
    let outcome = Outcome<P.Output, P.Failure>()
    outcome.subscribe(to: publisher).cancel()
    return outcome
}

/// What a publisher delivers until it ends.
nonisolated(nonsending) func finalOutcome<Output>(
    of publisher: some Publisher<Output, any Error>
) async throws -> Outcome<Output, any Error> {
    let (outcome, end) = (Outcome<Output, any Error>(), Later<Void>())
    let line = outcome.subscribe(to: publisher) { end.set() }
    defer { line.cancel() }
    try await end.value()
    return outcome
}
