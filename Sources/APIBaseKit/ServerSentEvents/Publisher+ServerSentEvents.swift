import Basics

extension Publisher where Output == Data {
    /// The bytes as the events of an event stream, `text/event-stream`, as the HTML standard reads it (section 9.2.6).
    ///
    /// An event comes with the blank line that completes it; one that is under way when the bytes end is dropped. Comments,
    /// unknown fields, and events without data deliver nothing. This reads one stream: it neither looks at the type of a reply
    /// nor connects again.
    ///
    /// Chunks are asked for as with ``lines(limit:)``. A loop over `values` whose task is cancelled ends without an error: say
    /// `try Task.checkCancellation()` after it.
    ///
    /// - Parameter limit: How many bytes each line of an event may have, and its data and type together: by default 16 MiB.
    /// - Returns: A publisher that fails with ``RequestError/eventTooLong(limit:)``, as soon as an event is longer, whether or
    ///   not it is complete, and with whatever upstream fails with.
    public func serverSentEvents(limit: Int = 1 << 24) -> AnyPublisher<ServerSentEvent, any Error> {
        Deferred { serverSentEvents(limit: limit, by: Locked(EventStreamParser(limit: limit))) }.eraseToAnyPublisher()
    }

    /// The same for one subscriber, by a parser whose state can be looked at meanwhile and afterwards, from any thread.
    func serverSentEvents(
        limit: Int,
        by parser: Locked<EventStreamParser>
    ) -> AnyPublisher<ServerSentEvent, any Error> {
        // A line without an end may be half of one: `retry: 1` of `retry: 10000`.
        split(
            by: LineSplitter(deliversRest: false, limit: limit, tooLong: .eventTooLong(limit: limit)) {
                String(decoding: $0, as: UTF8.self)
            }
        )
        .tryCompactMap { line in try parser.withLock { try $0.parse(line) } }
        .eraseToAnyPublisher()
    }
}
