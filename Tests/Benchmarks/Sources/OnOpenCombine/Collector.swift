import Chains

/// The subscriber at the end of a chain: behaves as it is told, and writes down what it gets.
final class Collector: Subscriber {
    typealias Input = Int
    typealias Failure = any Error

    let behaviour: Behaviour
    let world: World
    var subscription: (any Subscription)?
    var values = 0
    var calls = 0

    init(_ behaviour: Behaviour, in world: World) {
        self.behaviour = behaviour
        self.world = world
    }

    func receive(subscription: any Subscription) {
        world.log.append(.subscription)
        self.subscription = subscription
        if behaviour.cancelsInside == 0 { cancel() }
        request(behaviour.initial)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        world.log.append(.value(input))
        values += 1
        cancelIfDue()
        if behaviour.requestsInside == values { request(1) }
        let more = behaviour.returned[(values - 1) % behaviour.returned.count]
        if more > 0 { world.log.append(.asks(more)) }
        return .max(more)
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch completion {
        case .finished: world.log.append(.finished)
        case .failure(let error): world.log.append(.failed(String(describing: error)))
        }
        cancelIfDue()
    }

    func request(_ amount: Amount) {
        guard amount != 0, let subscription else { return }
        world.log.append(.asks(amount))
        subscription.request(amount.map { .max($0) } ?? .unlimited)
    }

    private func cancelIfDue() {
        calls += 1
        if behaviour.cancelsInside == calls { cancel() }
    }

    func cancel() {
        guard let subscription else { return }
        world.log.append(.cancels)
        subscription.cancel()
    }
}
