/// The subscriber of operators that can neither end the stream nor hold a value back: it hands upstream's own
/// subscription on, and needs neither state nor lock.
@usableFromInline struct Relay<Input, Failure: Error, Downstream: Subscriber>: Subscriber {
    @usableFromInline let downstream: Downstream
    /// Makes what is passed on; nil skips the value.
    @usableFromInline let output: (Input) -> Downstream.Input?
    @usableFromInline let completion: (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

    @inlinable init(
        to downstream: Downstream,
        output: @escaping (Input) -> Downstream.Input?,
        completion: @escaping (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>
    ) {
        (self.downstream, self.output, self.completion) = (downstream, output, completion)
    }

    @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    @inlinable func receive(_ input: Input) -> Subscribers.Demand {
        guard let output = output(input) else { return .max(1) }
        return downstream.receive(output)
    }

    @inlinable func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: self.completion(completion))
    }
}
