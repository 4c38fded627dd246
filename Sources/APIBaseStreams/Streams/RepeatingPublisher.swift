import HTTPTransport

/// Publishers one after another. Each is made when the previous one has ended and a value is requested.
///
/// Their number does not add to the stack, and nothing is read ahead.
struct RepeatingPublisher<Output>: Publisher {
    typealias Failure = any Error

    private let publisher: Pulled<Output>

    /// Makes the publisher with each number, from 0; `nil` ends the sequence. The series cancels the subscription.
    init(
        in series: @autoclosure @escaping () -> CancelableSeries? = nil,
        _ make: @escaping (Int) -> AnyPublisher<Output, any Error>?
    ) {
        publisher = Pulled(in: series()) {
            var next = 0
            return Relay { relay, stage in
                guard stage.isWanted else { return }
                guard let publisher = make(next) else { return relay.finish(.finished) }
                next += 1
                relay.read(publisher, in: stage, hasNext: true)
            }
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        publisher.receive(subscriber: subscriber)
    }
}
