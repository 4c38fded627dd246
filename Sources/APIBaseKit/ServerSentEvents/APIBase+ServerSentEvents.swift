extension APIBase {
    /// The events of an event stream, `text/event-stream`, over as many connections as it takes (HTML standard, section 9.2).
    ///
    /// ```swift
    /// for try await event in request.serverSentEvents().values { show(event.data) }
    /// try Task.checkCancellation()
    /// ```
    ///
    /// A loop over `values` whose task is cancelled ends without an error, which is what the last line is for.
    ///
    /// When a connection ends or is lost, another one is made that takes the stream up behind the last event, with
    /// `Last-Event-ID`. Before that it waits for as long as the server asks with `retry`, from a tenth of a second to an hour, or
    /// three seconds; twice as long after each further connection that brought no event, up to a minute. ``retry`` limits the attempts for one connection: with a policy of
    /// three, the events fail when three in a row have failed. Without one they go on until they are cancelled.
    ///
    /// It is for `GET`, which may be sent again and again. The events of one reply, to `POST` or another method, are
    /// `sendStream().flatMap { $0.body.serverSentEvents() }`.
    ///
    /// Each connection is a call like that of ``sendStream()``, with credentials, stubs and everything else; the waits are on the
    /// clock of the stubs. Stubs that answer every time make an endless stream; `.status(204)` ends it. `Accept` is
    /// `text/event-stream`, whatever ``headers`` say, and caches are asked to store nothing.
    ///
    /// - Parameter lastEventID: Where a stream goes on that was read before. Empty for a new one.
    /// - Returns: A publisher that finishes when the server answers with 204. It fails with ``RequestError/httpFailure(_:)`` for
    ///   every other status than 200, with ``RequestError/contentTypeMismatch(expected:received:reply:)`` for another type, and
    ///   with what is wrong with the request: before anything is sent, with ``RequestError/invalidRequest(_:)`` for another
    ///   method than `GET`. Events are read as they are asked for.
    public func serverSentEvents(after lastEventID: String = "") -> AnyPublisher<ServerSentEvent, any Error> {
        StreamCalls(of: self).deliver { calls in
            Deferred {
                let source = EventSource(calls, after: lastEventID)
                return Rounds { source.round($0) }
            }
            .eraseToAnyPublisher()
        }
    }
}
