/// The decision of a cache about a request (RFC 9111, section 4).
enum CacheDecision: Sendable, Equatable {
    /// Send it: nothing stored can answer it.
    case forward(URLRequest)
    /// Answer with this reply.
    case use(StoredReply)
    /// Answer with this reply, and send the request to have a newer one the next time (RFC 5861, section 3).
    case useAndRevalidate(StoredReply, URLRequest)
    /// Send this request, which asks whether the reply still holds (section 4.3).
    case validate(StoredReply, URLRequest)
    /// Nothing stored can answer it, and it may not be sent: a 504 (section 5.2.1.7).
    case unsatisfiable

    /// The decision for a request that may not be sent.
    var withoutSending: CacheDecision {
        switch self {
        case .use, .unsatisfiable: self
        case .useAndRevalidate(let reply, _): .use(reply)
        case .forward, .validate: .unsatisfiable
        }
    }
}
