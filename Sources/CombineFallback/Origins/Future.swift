/// A publisher of one result that comes later: it starts work when it is created, once, and gives its result to every
/// subscriber, whenever it comes.
public final class Future<Output, Failure: Error>: Publisher {
    /// A closure that the work calls with its result; every call but the first is ignored. It may be called on any thread.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    @usableFromInline let broadcast = Broadcast<Output, Failure>(memory: .only)

    /// Runs `attemptToFulfill` now.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        let broadcast = broadcast
        attemptToFulfill { result in
            switch result {
            case .success(let value): broadcast.finish(.finished, with: value)
            case .failure(let error): broadcast.finish(.failure(error))
            }
        }
    }

    /// Attaches `subscriber`.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        broadcast.admit(subscriber, name: "Future")
    }
}
