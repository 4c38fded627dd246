import Chains

/// A publisher that changes nothing, and writes down what its upstream is asked for.
struct Probe<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let world: World

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        world.sources += 1
        world.log.append(.subscribed(world.sources))
        upstream.subscribe(Watch(subscriber, number: world.sources, world: world))
    }

    private struct Watch<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let downstream: Downstream
        let number: Int
        let world: World
        let combineIdentifier = CombineIdentifier()

        init(_ downstream: Downstream, number: Int, world: World) {
            self.downstream = downstream
            self.number = number
            self.world = world
        }

        func receive(subscription: any Subscription) {
            downstream.receive(subscription: Watched(subscription: subscription, number: number, world: world))
        }

        func receive(_ input: Output) -> Subscribers.Demand {
            let more = downstream.receive(input)
            if more > .none { world.log.append(.requested(number, more.max)) }
            return more
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            world.log.append(.ended(number))
            downstream.receive(completion: completion)
        }
    }

    private struct Watched: Subscription {
        let subscription: any Subscription
        let number: Int
        let world: World
        let combineIdentifier = CombineIdentifier()

        func request(_ demand: Subscribers.Demand) {
            world.log.append(.requested(number, demand.max))
            subscription.request(demand)
        }

        func cancel() {
            world.log.append(.cancelled(number))
            subscription.cancel()
        }
    }
}
