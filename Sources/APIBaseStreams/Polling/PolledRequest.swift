/// A call that begins a long operation, which the server performs after its response. The leaf class of such an
/// endpoint conforms to it.
///
/// ```swift
/// final class ExportRequest: ShopAPI, PolledRequest {
///     typealias ModelType = Export
///     override init() { super.init(.post("/exports")) }
/// }
///
/// let export = try await ExportRequest().result(within: .seconds(300))
/// ```
///
/// By default the head of a response says what follows: see ``NextPoll/init(_:)``. If the body does, the leaf has a
/// method:
///
/// ```swift
/// func nextPoll(after export: Export, _ response: HTTPURLResponse) -> NextPoll {
///     export.isRunning ? .again(after: .seconds(2)) : .done
/// }
/// ```
///
/// The first call is that of ``Request/start()``. Each poll is a call of the same object as well, with its retries,
/// tokens, gate and stubs, and its events are reported; only its URL differs, its method is `GET`, and it has no body.
/// So a `POST` is never sent again. A poll is not answered by the ``APIBase/cache``. To another origin than that of
/// the first call, or if another origin has named the URL, no credentials are sent: neither those of
/// ``APIBase/authorization`` nor ``APIBase/secretHeaders``. A redirect at the end, as with status 303, is followed.
///
/// If the head says that the operation goes on, the body need not be a value: if it is empty or cannot be decoded, the
/// polls go on by the head, and ``nextPoll(after:_:)`` is not called.
///
/// A server that reports with status 200 until the end, as Azure does, says in the body whether it has finished. Then
/// the leaf decides. If the report is not the result, the leaf goes on to its URL:
/// `reply.status == "Succeeded" ? .at(result, after: .zero) : .again(after: .seconds(2))`.
public protocol PolledRequest<ModelType, Failure>: Request where Self: APIBase {
    /// The step after a response.
    ///
    /// - Parameters:
    ///   - reply: The value of the response: a state of the operation, or its result.
    ///   - response: The head of the response.
    /// - Returns: The next poll, or ``NextPoll/done`` if the reply is the result.
    func nextPoll(after reply: ModelType, _ response: HTTPURLResponse) -> NextPoll
}

extension PolledRequest {
    /// The step that the head of the response asks for: see ``NextPoll/init(_:)``.
    public func nextPoll(after reply: ModelType, _ response: HTTPURLResponse) -> NextPoll { NextPoll(response) }

    /// Begins the operation, polls until it is over, and returns its result.
    ///
    /// The delays are on the clock of the stubs, if there are any, and are listed in their `waits`.
    ///
    /// - Parameter limit: The longest time for the operation, with all calls and delays. A delay that would exceed it
    ///   is not waited for.
    /// - Returns: The value of the last response.
    /// - Throws: ``RequestError/notDone(within:polls:)`` after that time: the operation may go on at the server;
    ///   ``RequestError/undecodable(_:)`` if a result without a body, such as a 204, meets a type that is not optional;
    ///   ``RequestError/noValue`` if the leaf's own `start()` ends without a value; a
    ///   ``/HTTPTransport/TransportError`` with the reason of a refused redirect for a URL that must not be
    ///   asked; the errors of ``Request/reply()`` for a call that fails; and `CancellationError` as soon as the task is
    ///   canceled, or after ``APIBase/cancelAll()``.
    nonisolated(nonsending) public func result(within limit: Duration) async throws -> ModelType {
        let calls = PollCalls(of: self, within: limit)
        var last: ModelType?
        while let value = try await calls.next() { last = value }
        guard let last else { throw RequestError.noValue }
        return last
    }

    /// The values of all responses, from the first to the result, for an indication of progress:
    ///
    /// ```swift
    /// for try await export in ExportRequest().eachPoll(within: .seconds(300)) { show(export.percent) }
    /// ```
    ///
    /// A poll is sent when the loop asks for the next value, after the delay. Everything else is as with
    /// ``result(within:)``. Each loop begins an operation.
    ///
    /// - Parameter limit: The longest time for the operation, from the beginning of the loop.
    /// - Returns: A sequence that throws the errors of ``result(within:)``.
    public func eachPoll(within limit: Duration) -> CallSequence<ModelType> {
        let calls = StreamCalls(of: self)
        return CallSequence { PollCalls(of: self, by: calls, within: limit) }
    }
}
