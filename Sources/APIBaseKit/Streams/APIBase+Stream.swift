import HTTPTransport

extension APIBase {
    /// The call, with its reply delivered as soon as the head is there. The body follows as it is asked for.
    ///
    /// ```swift
    /// for try await line in request.sendStream().flatMap(\.body).lines().values { … }
    /// try Task.checkCancellation()
    /// ```
    ///
    /// A loop over `values` whose task is cancelled ends without an error, which is what the last line is for.
    ///
    /// Credentials, retries, gate, cache, interceptors, stubs and recordings work as for ``startRequest()``; ``sharing`` does not
    /// apply. A call is tried again until a head is accepted, and not once its body has begun. It holds its place at
    /// a ``CallGate`` until its head is there, and reports its end when the body has ended.
    ///
    /// There is no time limit for the whole: ``timeout`` does not hold, but ``/HTTPTransport/ExchangeLimits/idle`` does, and
    /// ``/HTTPTransport/ExchangeLimits/total`` of ``limits`` if it is set. Neither is there one for the bytes, unless
    /// ``/HTTPTransport/ExchangeLimits/responseBytes`` is set to something else than its default.
    ///
    /// - Returns: A publisher of one reply, which fails with ``RequestError/httpFailure(_:)``, or what an API makes of that, if
    ///   ``accepts(_:)`` refuses the head; and with whatever ``startRequest()`` fails with. Every subscription sends once. To
    ///   cancel it cancels the call before the head; after that, cancel the body.
    public func sendStream() -> AnyPublisher<StreamedReply, any Error> {
        StreamCalls(of: self).deliver { $0.call() }
    }
}
