extension Publisher where Output == StreamedReply, Failure == any Error {
    /// The bytes of the response's body, from the call for it to their end:
    ///
    /// ```swift
    /// for try await chunk in CallSequence(request.sendStream().body) { … }
    /// ```
    ///
    /// `lines()`, `jsonLines(of:decoder:)` and `serverSentEvents()` read them further: `sendStream().body.lines()`.
    ///
    /// The call begins with the subscription. A chunk is asked for when one is wanted, and not before. So all bytes that
    /// have arrived before a connection breaks are delivered, and then the error. `flatMap(\.body)` in its place asks
    /// for one chunk in advance, and drops it when the connection breaks.
    ///
    /// - Returns: A publisher with the errors of the call and of the body. Canceling it cancels the call. If the
    ///   upstream delivers further responses, they are ignored.
    public var body: AnyPublisher<Data, any Error> { continued { $0.read(by: $1, in: $2) }.eraseToAnyPublisher() }
}
