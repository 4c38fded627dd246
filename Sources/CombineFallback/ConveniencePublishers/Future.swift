/// A publisher of one later result. Its work starts when it is created; each subscriber gets the result.
public final class Future<Output, Failure: Error>: Publisher {
    /// A closure for the result, which may be called on any thread. All calls but the first are ignored.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    @usableFromInline let broadcast = Broadcast<Output, Failure>(memory: .only)

    /// Creates a future and calls `attemptToFulfill`.
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
        broadcast.subscribe(subscriber, name: "Future")
    }
}

/// A publisher that makes another publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The values of the publisher made.
    public typealias Output = DeferredPublisher.Output

    /// The failure of the publisher made.
    public typealias Failure = DeferredPublisher.Failure

    /// Makes the publisher of one subscriber.
    public let createPublisher: () -> DeferredPublisher

    /// Creates a publisher that calls `createPublisher` once per subscriber.
    @inlinable
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    /// Makes a publisher and attaches `subscriber` to it.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}
