import Basics

/// Work that goes on when its call is over: one piece at a time for each key.
final class BackgroundWork: Sendable {
    private struct State {
        var last = 0
        var running: [ResponseKey: (number: Int, subscription: AnyCancellable?)] = [:]
    }

    private let state = Locked(State())

    /// Subscribes to what `make` makes, and reads all of it, unless that is being done already.
    func run(for key: ResponseKey, _ make: () -> AnyPublisher<StreamedReply, any Error>) {
        let number = state.withLock { state -> Int? in
            guard state.running[key] == nil else { return nil }
            state.last += 1
            state.running[key] = (state.last, nil)
            return state.last
        }
        guard let number else { return }
        let subscription = make().flatMap { $0.drained }.sink { _ in
            let ended = self.state.withLock { state in
                state.running[key]?.number == number ? state.running.removeValue(forKey: key) : nil
            }
            withExtendedLifetime(ended) {}
        } receiveValue: { _ in
        }
        // It may have ended already.
        state.withLock { state in
            if state.running[key]?.number == number { state.running[key] = (number, subscription) }
        }
    }
}
