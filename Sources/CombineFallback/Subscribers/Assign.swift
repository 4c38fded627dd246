extension Subscribers {
    /// A subscriber that asks for everything and stores each value in a property of an object.
    ///
    /// It keeps the object alive until the stream has ended.
    public final class Assign<Root, Input>: Subscriber, Cancellable, Described, CustomReflectable {
        /// No failure can be received.
        public typealias Failure = Never

        /// The property that is set.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        private let target: IdentifiedLock<Root?>
        private let receiver: ClosureSubscriber<Input, Never>

        /// Creates the subscriber of one property of `object`.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            let target = IdentifiedLock<Root?>(object)
            (self.keyPath, self.target) = (keyPath, target)
            receiver = ClosureSubscriber(
                receiveValue: { value in
                    guard let object = target.withLock({ $0 }) else { return }
                    object[keyPath: keyPath] = value
                },
                receiveCompletion: { _ in }
            )
        }

        /// The object whose property is set; nil once the stream has ended.
        public var object: Root? { target.withLock { $0 } }

        /// `Assign`, with the type of the object.
        public var description: String { "Assign \(Root.self)" }

        /// The object and the property.
        public var customMirror: Mirror { Mirror(self, children: ["object": object as Any, "keyPath": keyPath]) }

        /// Asks for everything. A second subscription is cancelled.
        public func receive(subscription: any Subscription) { receiver.receive(subscription: subscription) }

        /// Sets the property, unless cancelled.
        public func receive(_ value: Input) -> Subscribers.Demand { receiver.receive(value) }

        /// Releases the object.
        public func receive(completion: Subscribers.Completion<Never>) {
            receiver.receive(completion: completion)
            _ = target.withLock { $0.take() }
        }

        /// Cancels the subscription and releases the object.
        public func cancel() {
            receiver.cancel()
            _ = target.withLock { $0.take() }
        }
    }
}

extension Publisher where Failure == Never {
    /// Stores each value in a property of `object`, which is kept alive until the stream has ended or the result is
    /// cancelled or released.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
        subscribe(subscriber)
        return AnyCancellable(idempotent: subscriber)
    }
}
