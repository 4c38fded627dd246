#if os(Linux) || os(Android)
import CCurl

extension EasyHandle {
    /// Decides what happens when a kept connection turns out to be lost, or to have said something unasked.
    ///
    /// A connection that is **stale** before anything is sent is closed, and the request goes out on another, whatever
    /// its method. One that is lost **after** the request was sent may have reached the server: the request is repeated
    /// only if its method is idempotent (RFC 9110, section 9.2.2), otherwise the hop fails with
    /// ``TransportError/Reason/connectionLost``. Both are carried out in `reuse.c`.
    func prepareForReuse(_ request: CurlRequest, isMultiplexed: Bool?) {
        state.pointee.may_repeat = request.method.isIdempotent
        // Over HTTP/2 a server speaks unasked.
        state.pointee.expects_silence = httpVersion != .http2 && isMultiplexed == false
        state.pointee.can_rewind = request.body.isReplayable
    }
}
#endif
