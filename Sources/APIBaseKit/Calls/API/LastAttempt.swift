import HTTPTransport

/// The state that a request object keeps of its last attempt.
struct LastAttempt {
    /// The request that was sent.
    var request: URLRequest?
    /// The head of the reply.
    var head: ResponseHead?
    /// The key that all attempts carry, once one has been made.
    var idempotencyKey: String?
    /// The body that an attempt has taken, if it can be sent only once.
    var takenBody: TakenBody?

    /// A body that can be sent once, and has been.
    struct TakenBody {
        /// The stream.
        let body: ObjectIdentifier?
        /// The error of the attempt that took the body; `nil` if it has not failed.
        var failure: (any Error)?
    }
}
