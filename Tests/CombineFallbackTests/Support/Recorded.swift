import PortableCombine

/// What a publisher publishes while it is subscribed to, when it is asked for everything.
func recorded<P: Publisher>(
    _ publisher: P
) -> (values: [P.Output], end: Subscribers.Completion<P.Failure>?) {
    var values: [P.Output] = []
    var end: Subscribers.Completion<P.Failure>?
    let cancellable = publisher.sink(receiveCompletion: { end = $0 }, receiveValue: { values.append($0) })
    cancellable.cancel()
    return (values, end)
}

extension Publisher {
    /// Hides what the publisher is, so that no operator knows its values in advance.
    func hidden() -> AnyPublisher<Output, Failure> { eraseToAnyPublisher() }
}
