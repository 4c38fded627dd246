#if canImport(Combine)
extension Publisher {
    /// Hides the type of the publisher. The system's Combine does not keep what it was made of.
    @usableFromInline func erased(madeOf origin: AnyObject) -> AnyPublisher<Output, Failure> { eraseToAnyPublisher() }
}

extension AnyPublisher {
    /// The object that the publisher was made of: not known here.
    @usableFromInline var madeOf: AnyObject? { nil }
}
#endif
