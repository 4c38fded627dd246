extension StoredReply {
    /// The request with which to ask whether the reply still holds (RFC 9111, section 4.3.1): with the entity tag, and with
    /// the date of the last change. nil if it has neither that can be sent.
    func conditional(_ request: URLRequest) -> URLRequest? {
        let tag = EntityTag(headers).flatMap { $0.isSendable ? $0 : nil }
        let date = headers.values(for: "Last-Modified").first.flatMap { text in
            text.isSendableValidator ? HTTPDate.date(text, now: receivedAt).map { _ in text } : nil
        }
        guard tag != nil || date != nil else { return nil }
        var conditional = request
        if let tag { conditional.setValue(tag.text, forHTTPHeaderField: "If-None-Match") }
        if let date { conditional.setValue(date, forHTTPHeaderField: "If-Modified-Since") }
        return conditional
    }

    /// The decision on a request for which the reply must be validated.
    func validation(for request: URLRequest) -> CacheDecision {
        if let conditional = conditional(request) { return .validate(self, conditional) }
        // Without a validator there is nothing to ask, but an error may be hidden all the same (RFC 5861, section 4).
        let hidesErrors = (facts.control.staleIfError ?? CacheControl(request).staleIfError) != nil
        return hidesErrors ? .validate(self, request) : .forward(request)
    }

    /// Whether a 304 with these headers means this reply, which was the only one it was asked about (section 4.3.4). It does
    /// without a validator as well: many servers leave them out.
    func isConfirmed(by headers: HTTPHeaders) -> Bool {
        if let tag = EntityTag(headers) {
            guard let own = EntityTag(self.headers) else { return false }
            return tag.isWeak ? tag.matchesWeakly(own) : tag.matchesStrongly(own)
        }
        return headers.values(for: "Last-Modified").first.map(isLastModified) ?? true
    }

    /// Whether it was last changed at this time, in whichever form.
    func isLastModified(_ text: String) -> Bool {
        guard let own = headers.values(for: "Last-Modified").first else { return false }
        guard let date = HTTPDate.date(text, now: receivedAt) else { return own == text }
        return HTTPDate.date(own, now: receivedAt) == date
    }
}
