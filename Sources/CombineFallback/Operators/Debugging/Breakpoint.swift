import Foundation

extension Publishers {
    /// A publisher that stops the process in the debugger when a closure returns true.
    public struct Breakpoint<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Whether to stop for the subscription.
        public let receiveSubscription: ((any Subscription) -> Bool)?
        /// Whether to stop for a value.
        public let receiveOutput: ((Upstream.Output) -> Bool)?
        /// Whether to stop for the completion.
        public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?
        /// Creates the publisher.
        public init(
            upstream: Upstream,
            receiveSubscription: ((any Subscription) -> Bool)? = nil,
            receiveOutput: ((Upstream.Output) -> Bool)? = nil,
            receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)? = nil
        ) {
            (self.upstream, self.receiveSubscription) = (upstream, receiveSubscription)
            (self.receiveOutput, self.receiveCompletion) = (receiveOutput, receiveCompletion)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            let events = Events(
                subscription: receiveSubscription.map { stops in { if stops($0) { raise(SIGTRAP) } } },
                value: receiveOutput.map { stops in { if stops($0) { raise(SIGTRAP) } } },
                completion: receiveCompletion.map { stops in { if stops($0) { raise(SIGTRAP) } } }
            )
            upstream.attach(Tap(events, downstream, name: "Breakpoint"))
        }
    }
}

extension Publisher {
    /// Raises `SIGTRAP` before an event for which a closure returns true. That stops the process in a debugger, and
    /// ends it without one.
    public func breakpoint(
        receiveSubscription: ((any Subscription) -> Bool)? = nil,
        receiveOutput: ((Output) -> Bool)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        Publishers.Breakpoint(
            upstream: self,
            receiveSubscription: receiveSubscription,
            receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion
        )
    }

    /// Raises `SIGTRAP` before a failure.
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { completion in
            if case .failure = completion { true } else { false }
        })
    }
}
