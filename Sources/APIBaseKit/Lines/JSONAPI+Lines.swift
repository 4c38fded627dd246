extension JSONAPI {
    /// The call, with the body of its reply read as values while it comes, one on each line: JSON Lines, also called NDJSON.
    ///
    /// ```swift
    /// for try await entry in LogRequest().jsonLines(of: LogEntry.self).values { … }
    /// try Task.checkCancellation()
    /// ```
    ///
    /// A loop over `values` whose task is cancelled ends without an error, which is what the last line is for.
    ///
    /// The call is that of ``APIBase/sendStream()``. Lines are read as ``decoder`` is set up when this is called, and as
    /// ``usesStrictJSON`` says; ``decode(_:from:)`` is not asked.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - limit: How many bytes a line may have, without its end: by default 1 MiB.
    /// - Returns: A publisher that fails with whatever ``APIBase/sendStream()`` fails with, and as that of the operator
    ///   `jsonLines(of:decoder:limit:)`: with ``RequestError/undecodableLine(_:)`` if a line cannot be read, and with
    ///   ``RequestError/lineTooLong(limit:)``. Dropping it cancels the call.
    public func jsonLines<Model: Decodable>(
        of type: Model.Type,
        limit: Int = 1 << 20
    ) -> AnyPublisher<Model, any Error> {
        let decoder = replyDecoder
        return sendStream()
            .flatMap { $0.body.jsonLines(of: type, decoder: decoder, limit: limit) }
            .eraseToAnyPublisher()
    }
}
