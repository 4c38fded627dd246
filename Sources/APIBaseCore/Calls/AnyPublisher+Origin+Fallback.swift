#if !canImport(Combine)
extension Publisher {
    /// Erases the type of the publisher, and keeps its origin.
    @usableFromInline func erased(madeOf origin: AnyObject) -> AnyPublisher<Output, Failure> {
        AnyPublisher(self, madeOf: origin)
    }
}

extension AnyPublisher {
    /// The object that the publisher was made of; `nil` if there are operators in between.
    @usableFromInline var madeOf: AnyObject? { origin }
}
#endif
