import HTTPTransport

extension StoredResponse {
    /// True if it may be used when it is stale, without validation (RFC 9111, section 4.2.4).
    var mayBeStale: Bool { !isInvalid && !metadata.control.noCache && !metadata.control.mustRevalidate }

    /// The request that asks whether the response is still valid (section 4.3.1), with the entity tag and the date of
    /// the last modification; nil if there is neither that can be sent.
    func conditional(_ request: URLRequest) -> URLRequest? {
        let tag = EntityTag(headers).flatMap { $0.isKeepable ? $0 : nil }
        let date = lastModified.flatMap { text in
            text.isKeepableValidator ? HTTPDate.date(text, now: head.receivedAt).map { _ in text } : nil
        }
        guard tag != nil || date != nil else { return nil }
        var conditional = request
        if let tag { conditional.setValue(tag.text, forHTTPHeaderField: "If-None-Match") }
        if let date { conditional.setValue(date, forHTTPHeaderField: "If-Modified-Since") }
        return conditional
    }

    /// The decision on a request for which the response must be validated.
    func validation(for request: URLRequest) -> CacheDecision {
        if let conditional = conditional(request) { return .validate(self, conditional) }
        // Without a validator the response may still replace an error (RFC 5861, section 4).
        let replacesErrors = (metadata.control.staleIfError ?? CacheControl(request).staleIfError) != nil
        return replacesErrors ? .validate(self, request) : .forward(request)
    }

    /// True if a 304 with these headers is about this response, the only one that was asked about (section 4.3.4). A
    /// 304 without a validator is too: many servers omit it.
    func isConfirmed(by headers: HTTPHeaders) -> Bool {
        if let tag = EntityTag(headers) {
            guard let own = EntityTag(self.headers) else { return false }
            return tag.isWeak ? tag.matchesWeakly(own) : tag.matchesStrongly(own)
        }
        return headers.values(for: "Last-Modified").first.map(isLastModified) ?? true
    }

    private var lastModified: String? { headers.values(for: "Last-Modified").first }

    /// True if it was last modified at this time, in any date format.
    private func isLastModified(_ text: String) -> Bool {
        guard let own = lastModified else { return false }
        guard let date = HTTPDate.date(text, now: head.receivedAt) else { return own == text }
        return HTTPDate.date(own, now: head.receivedAt) == date
    }
}

// MARK: Updating

extension StoredResponse {
    /// The response with the fields of a 304 in place of its own (RFC 9111, section 3.2), and with the request's
    /// headers that its `Vary` names.
    ///
    /// The fields that describe the stored body stay: its length, type, coding, range and digest. Servers describe the
    /// empty body of the 304 instead, as PHP does with `text/html`. An old `Age` is removed, because the server has just
    /// confirmed the response.
    func updated(by new: ReceivedHead, answering request: URLRequest) -> StoredResponse {
        var updates = new.headers.withoutConnectionFields.dated(new.receivedAt)
        for name in Self.fieldsOfTheBody { updates.remove(name: name) }
        var headers = headers
        headers.remove(name: "Age")
        for field in updates { headers.remove(name: field.name) }
        for field in updates { headers.add(name: field.name, value: field.value) }
        var updated = self
        updated.head = ReceivedHead(
            statusCode: statusCode,
            headers: headers,
            requestedAt: new.requestedAt,
            receivedAt: new.receivedAt,
            lifetime: head.lifetime
        )
        if updates.contains(name: "Vary") { updated.varying = Self.varying(updates, of: request) }
        updated.isInvalid = false
        return updated
    }

    private static let fieldsOfTheBody = [
        "Content-Length", "Content-Type", "Content-Encoding", "Content-Range", "Content-Digest",
    ]

    /// The response to `GET` after one to `HEAD` (section 4.3.5): a 200 updates it or makes it invalid, other statuses
    /// leave it as it is.
    ///
    /// A 200 updates it if its validators and its length are the same, and if it has a validator where this one has.
    func updated(byHead new: ReceivedHead, answering request: URLRequest) -> StoredResponse {
        guard new.statusCode == 200, method == .get, selects(request) else { return self }
        if isSameRepresentation(as: new.headers) { return updated(by: new, answering: request) }
        var invalid = self
        invalid.isInvalid = true
        return invalid
    }

    private func isSameRepresentation(as other: HTTPHeaders) -> Bool {
        if let length = other["Content-Length"], length != headers["Content-Length"] { return false }
        let (tag, date) = (EntityTag(other), other.values(for: "Last-Modified").first)
        if let tag, EntityTag(headers) != tag { return false }
        if let date, !isLastModified(date) { return false }
        return tag != nil || date != nil || (EntityTag(headers) == nil && !headers.contains(name: "Last-Modified"))
    }

    /// The head of an answer at this time to a request for this URL, with its `Age` (section 5.1).
    func head(at now: Date, for url: URL) -> ResponseHead {
        let age = DeltaSeconds.text(Freshness(of: self, at: now).age)
        return metadata.head(age: age, for: url) {
            var headers = headers
            headers["Age"] = age
            return ResponseHead(statusCode: statusCode, headers: headers, url: url)
        }
    }
}
