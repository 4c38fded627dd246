extension Publishers {
    /// A publisher that calls closures for each event and changes nothing.
    public struct HandleEvents<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Called with the subscription, before downstream gets one.
        public var receiveSubscription: ((any Subscription) -> Void)?
        /// Called with each value, before downstream gets it.
        public var receiveOutput: ((Upstream.Output) -> Void)?
        /// Called with the completion, before downstream gets it.
        public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
        /// Called when downstream cancels, before upstream is cancelled; not after the end.
        public var receiveCancel: (() -> Void)?
        /// Called with each demand, also one returned for a value, before upstream gets it.
        public var receiveRequest: ((Subscribers.Demand) -> Void)?
        /// Creates the publisher.
        public init(
            upstream: Upstream,
            receiveSubscription: ((any Subscription) -> Void)? = nil,
            receiveOutput: ((Output) -> Void)? = nil,
            receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
            receiveCancel: (() -> Void)? = nil,
            receiveRequest: ((Subscribers.Demand) -> Void)?
        ) {
            (self.upstream, self.receiveSubscription) = (upstream, receiveSubscription)
            (self.receiveOutput, self.receiveCompletion) = (receiveOutput, receiveCompletion)
            (self.receiveCancel, self.receiveRequest) = (receiveCancel, receiveRequest)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            let events = Events(
                subscription: receiveSubscription,
                value: receiveOutput,
                completion: receiveCompletion,
                cancel: receiveCancel,
                request: receiveRequest.map { call in { demand, _ in call(demand) } }
            )
            upstream.attach(Tap(events, downstream, name: "HandleEvents"))
        }
    }
}

extension Publisher {
    /// Calls closures for each event and changes nothing.
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
        receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        Publishers.HandleEvents(
            upstream: self,
            receiveSubscription: receiveSubscription,
            receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion,
            receiveCancel: receiveCancel,
            receiveRequest: receiveRequest
        )
    }
}
