extension AnyPublisher {
    /// The publisher itself if its errors have no type of their own, so that it keeps its origin.
    var failingWithAnyError: AnyPublisher<Output, any Error> {
        self as? AnyPublisher<Output, any Error> ?? mapError { $0 }.eraseToAnyPublisher()
    }
}
