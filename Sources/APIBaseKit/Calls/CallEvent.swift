/// An event in the life of a call, for logs, metrics and traces: see ``APIBase/report(_:)``.
///
/// A call that is sent once gives ``began(_:)``, ``sent(_:)``, ``head(_:_:)`` and ``ended(_:)``. Of ``ended(_:)`` and
/// ``failed(_:_:)``, one comes for each call, as its last event, also if it is cancelled.
public enum CallEvent: Sendable {
    /// An attempt begins: its request has been built. The task locals of where the call was started hold, as in
    /// ``APIBase/startRequest()``.
    case began(CallInfo)
    /// The request is handed to the network, or to what stands in for it, with its credentials and as
    /// ``APIBase/intercept(_:next:)`` has changed it.
    case sent(CallInfo)
    /// Status and headers of a reply have come.
    case head(CallInfo, ResponseHead)
    /// The attempt failed, and another follows when so much time has passed. The timings are those of this attempt, and
    /// ``CallTimings/error`` says why there was no reply, if there was none.
    case retrying(CallTimings, after: Duration)
    /// The server has refused a token, and the call goes on with another.
    case refreshed(CallInfo)
    /// The call is not sent, because an equal one is under way: see ``Sharing/safeMethods``. It ends as that one does.
    case shared(CallInfo)
    /// A stored reply answers the call: see ``APIBase/cache``.
    case cached(CallInfo, CacheOutcome)
    /// The call has brought a whole reply, whatever its status.
    case ended(CallTimings)
    /// The call has brought no reply. The error is `CancellationError` if it was cancelled.
    case failed(any Error, CallTimings)

    /// The call that the event belongs to.
    public var call: CallInfo {
        switch self {
        case .began(let call), .sent(let call), .head(let call, _), .refreshed(let call),
            .shared(let call), .cached(let call, _):
            call
        case .retrying(let timings, _), .ended(let timings), .failed(_, let timings): timings.call
        }
    }

    /// The timings of what is over with the event: of the call, or of an attempt that another one follows. `nil` while the attempt
    /// goes on.
    public var timings: CallTimings? {
        switch self {
        case .retrying(let timings, _), .ended(let timings), .failed(_, let timings): timings
        case .began, .sent, .head, .refreshed, .shared, .cached: nil
        }
    }
}
