#if !canImport(Combine)
extension Publisher {
    /// Hides the type of the publisher, and keeps what it was made of.
    @usableFromInline func erased(madeOf origin: AnyObject) -> AnyPublisher<Output, Failure> {
        AnyPublisher(self, madeOf: origin)
    }
}

extension AnyPublisher {
    /// The object that the publisher was made of, if nothing stands in between; nil otherwise.
    @usableFromInline var madeOf: AnyObject? { origin }
}
#endif
