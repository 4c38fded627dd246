#if !canImport(Combine)
extension CallSource {
    /// The call that a publisher was made of, if nothing stands in between.
    @usableFromInline static func behind(
        _ publisher: AnyPublisher<APIBase.DataResponseTuple, any Error>
    ) -> CallSource? { publisher.origin as? CallSource }
}

extension MappedCall {
    /// The publisher, which tells that it is this call.
    func erased(as source: CallSource) -> AnyPublisher<Output, any Error> { AnyPublisher(self, madeOf: source) }
}
#endif
