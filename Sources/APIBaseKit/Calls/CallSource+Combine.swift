#if canImport(Combine)
extension CallSource {
    /// The system's Combine does not tell what a publisher was made of.
    @usableFromInline static func behind(
        _ publisher: AnyPublisher<APIBase.DataResponseTuple, any Error>
    ) -> CallSource? { nil }
}

extension MappedCall {
    /// The publisher, of which nothing tells that it is a call.
    func erased(as source: CallSource) -> AnyPublisher<Output, any Error> { eraseToAnyPublisher() }
}
#endif
