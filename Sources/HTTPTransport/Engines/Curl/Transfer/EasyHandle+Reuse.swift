#if os(Linux) || os(Android)
import CCurl

extension EasyHandle {
    /// Decides what happens when a kept connection turns out to be lost, or to have said something unasked.
    ///
    /// A connection that is **stale** before anything is sent is closed, and the request goes out on another, whatever
    /// its method. One that is lost **after** the request was sent may have reached the server: the request is repeated
    /// only if its method is idempotent (RFC 9110, section 9.2.2), otherwise the hop fails with
    /// ``TransportError/Reason/connectionLost``. Both are carried out in `reuse.c`, where libcurl says when it is about to
    /// send. Before it does, such a request gets a fresh connection.
    func prepareForReuse(_ request: CurlRequest, isMultiplexed: Bool?) throws(OptionRefused) {
        let isSafe = request.method.isIdempotent || ccurl_says_when_ready()
        try set(.freshConnect, isAlone(request) || !isSafe ? 1 : 0)
        try set(.forbidReuse, isAlone(request) ? 1 : 0)
        state.pointee.may_repeat = request.method.isIdempotent
        // Over HTTP/2 a server speaks unasked.
        state.pointee.expects_silence = httpVersion != .http2 && isMultiplexed == false
        state.pointee.can_rewind = request.body.isReplayable
    }
}
#endif
