import HTTPTransport

/// Publishers one after another. Each is made when the previous one has ended and a value is requested.
///
/// Their number does not add to the stack, and nothing is read ahead.
struct RepeatingPublisher<Output>: Publisher {
    typealias Failure = any Error

    private let publisher: Pulled<Output>

    /// - Parameters:
    ///   - series: The series that cancels a subscription.
    ///   - isLast: Whether the publisher that has ended is the last one. Then the sequence ends without further demand.
    ///   - make: Makes the publisher with this number, from 0; `nil` ends the sequence.
    init(
        in series: @autoclosure @escaping () -> CancelableSeries? = nil,
        isLast: @escaping () -> Bool = { false },
        _ make: @escaping (Int) -> AnyPublisher<Output, any Error>?
    ) {
        publisher = Pulled(in: series()) {
            var next = 0
            return Relay { relay, stage in
                guard stage.isWanted else { return }
                guard let publisher = make(next) else { return relay.finish(.finished) }
                next += 1
                relay.read(publisher, in: stage) { completion in
                    // Asked before the next publisher may begin.
                    if case .finished = completion { !isLast() } else { false }
                }
            }
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        publisher.receive(subscriber: subscriber)
    }
}
