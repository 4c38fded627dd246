extension Subscribers {
    /// A subscriber that asks for everything and calls closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, Described {
        /// The closure for values; an empty one once the stream has ended.
        public var receiveValue: (Input) -> Void { receiver.state.withLock { $0.receiveValue }?.call ?? { _ in } }

        /// The closure for the completion; an empty one once the stream has ended.
        public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
            receiver.state.withLock { $0.receiveCompletion } ?? { _ in }
        }

        let receiver: ClosureSubscriber<Input, Failure>

        /// Creates the subscriber from its two closures.
        public init(
            receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
            receiveValue: @escaping (Input) -> Void
        ) {
            receiver = ClosureSubscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
        }

        /// `Sink`.
        public var description: String { "Sink" }

        /// Asks for everything. A second subscription is cancelled.
        public func receive(subscription: any Subscription) { receiver.receive(subscription: subscription) }

        /// Calls ``receiveValue``, unless cancelled.
        public func receive(_ value: Input) -> Subscribers.Demand { receiver.receive(value) }

        /// Calls ``receiveCompletion``, unless cancelled.
        public func receive(completion: Subscribers.Completion<Failure>) { receiver.receive(completion: completion) }

        /// Cancels the subscription, also one that arrives later.
        public func cancel() { receiver.cancel() }
    }
}

extension Publisher {
    /// Asks for everything and calls closures, until the result is cancelled or released.
    @inlinable public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        let receiver = ClosureSubscriber(receiveValue: receiveValue, receiveCompletion: receiveCompletion)
        attach(receiver)
        return AnyCancellable(idempotent: receiver)
    }
}

extension Publisher where Failure == Never {
    /// Asks for everything and calls a closure for each value, until the result is cancelled or released.
    @inlinable public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
