/// A publisher that makes the real one anew for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The values of the real publisher.
    public typealias Output = DeferredPublisher.Output

    /// The failure of the real publisher.
    public typealias Failure = DeferredPublisher.Failure

    /// Makes the real publisher.
    public let createPublisher: () -> DeferredPublisher

    /// Creates a publisher that calls `createPublisher` once per subscriber.
    @inlinable
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    /// Makes a publisher and attaches `subscriber` to it.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}
