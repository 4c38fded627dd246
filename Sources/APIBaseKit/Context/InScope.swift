extension Publisher {
    /// Delivers inside `scope`, so that a call which is started by what another one brought belongs to it as well.
    /// Behind `receive(on:)`, that has to be asked for: `.receive(on: queue).inScope(.here)`.
    ///
    /// - Parameter scope: The scope, as it is kept.
    /// - Returns: A publisher that gives what this one gives.
    public func inScope(_ scope: CallScope) -> AnyPublisher<Output, Failure> {
        InScope(upstream: self, scope: scope).eraseToAnyPublisher()
    }
}

private struct InScope<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scope: CallScope

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(Inside(scope: scope, downstream: subscriber))
    }
}

private struct Inside<Downstream: Subscriber>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let scope: CallScope
    let downstream: Downstream

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) {
        scope.run { downstream.receive(subscription: subscription) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        scope.run { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        scope.run { downstream.receive(completion: completion) }
    }
}
