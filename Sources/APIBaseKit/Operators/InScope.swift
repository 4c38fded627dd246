extension Publisher {
    /// Delivers inside `scope`, so that a call which is started by what another one brought belongs to it as well.
    func inScope(_ scope: any SessionScope) -> InScope<Self> { InScope(upstream: self, scope: scope) }
}

struct InScope<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let scope: any SessionScope

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(Inside(scope: scope, downstream: subscriber))
    }
}

private struct Inside<Downstream: Subscriber>: Subscriber {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    let scope: any SessionScope
    let downstream: Downstream

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) {
        SessionScopes.$current.withValue(scope) { downstream.receive(subscription: subscription) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        SessionScopes.$current.withValue(scope) { downstream.receive(input) }
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        SessionScopes.$current.withValue(scope) { downstream.receive(completion: completion) }
    }
}
