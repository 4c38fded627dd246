import Basics

/// What goes on when its call is over: one piece of work at a time for each key.
final class BackgroundWork: Sendable {
    static let shared = BackgroundWork()

    private let running = Locked<[ResponseKey: AnyCancellable?]>([:])

    /// Subscribes to what `make` makes, and reads all of it, unless that is being done already.
    func run(for key: ResponseKey, _ make: () -> AnyPublisher<StreamedReply, any Error>) {
        let isFree = running.withLock { running in
            guard running[key] == nil else { return false }
            running[key] = .some(nil)
            return true
        }
        guard isFree else { return }
        let work = make().flatMap { $0.drained }.sink { _ in
            let ended = self.running.withLock { $0.removeValue(forKey: key) }
            withExtendedLifetime(ended) {}
        } receiveValue: { _ in
        }
        running.withLock { running in
            if running[key] != nil { running[key] = work }
        }
    }
}
