/// Publishers one after another: each is made when the one before has ended, and when a value is asked for.
///
/// However many there are, none stands around another.
struct Rounds<Output>: Publisher {
    typealias Failure = any Error

    /// Makes the round with this number, from 0; `nil` ends it all.
    let round: (Int) -> AnyPublisher<Output, any Error>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let round = round
        let next = CurrentValueSubject<Int, any Error>(0)
        next
            .flatMap(maxPublishers: .max(1)) { number -> AnyPublisher<Output, any Error> in
                guard let publisher = round(number) else {
                    next.send(completion: .finished)
                    return Empty().eraseToAnyPublisher()
                }
                let last = Deferred { () -> Empty<Output, any Error> in
                    next.send(number + 1)
                    return Empty()
                }
                return publisher.append(last).eraseToAnyPublisher()
            }
            .subscribe(subscriber)
    }
}
