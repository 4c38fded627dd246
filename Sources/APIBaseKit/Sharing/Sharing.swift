/// Whether equal calls that are under way at the same time are one exchange.
public enum Sharing: Sendable, Hashable {
    /// Each subscription to a call is an exchange of its own.
    case none
    /// Calls with a safe method (RFC 9110, section 9.2.1) and without a body are shared.
    ///
    /// Calls are equal if class, method, URL, headers, credentials, time-outs, ``APIBase/limits``, ``APIBase/secretHeaders`` and
    /// ``APIBase/retry`` are, and if session, ``APIBase/cache`` and ``APIBase/gate`` are the same. Not compared are
    /// ``RetryPolicy/backoff``, and what ``APIBase/intercept(_:next:)`` adds: an API that says there who is calling must not
    /// share. Each call checks and decodes the reply for itself. The first
    /// one is sent, with its attempts, and reports their events; the others report ``CallEvent/shared(_:)``, and get its reply or
    /// its error. The exchange is cancelled when none of them wants it any more. A call that begins when the reply is there is
    /// sent anew.
    ///
    /// A call that an attempt of an equal call awaits from a detached task or a queue waits for itself. Only
    /// ``RetryPolicy/deadline`` ends that; in the attempt's own task such a call is sent by itself.
    case safeMethods
}
