#if canImport(Combine)
extension Publisher {
    /// Erases the type of the publisher. The system's Combine does not keep its origin.
    @usableFromInline func erased(madeOf origin: AnyObject) -> AnyPublisher<Output, Failure> { eraseToAnyPublisher() }
}

extension AnyPublisher {
    /// The object that the publisher was made of, which is not known here.
    @usableFromInline var madeOf: AnyObject? { nil }
}
#endif
