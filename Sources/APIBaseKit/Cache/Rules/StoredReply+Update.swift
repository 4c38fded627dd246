import HTTPTransport

extension StoredReply {
    /// The reply with what a 304 says (RFC 9111, section 3.2): its fields come in place of the old ones, and with them what
    /// `Vary` names of the request.
    ///
    /// The length stays what it was, and so does what belongs to the stored body as it was taken from the network: its
    /// coding and range. An old `Age` goes: the server has just said that the reply holds.
    func updated(
        by headers: HTTPHeaders,
        answering request: URLRequest,
        requestedAt: Date,
        receivedAt: Date
    ) -> StoredReply {
        var updates = headers.withoutHopFields.dated(receivedAt)
        for name in ["Content-Length", "Content-Encoding", "Content-Range"] { updates.remove(name: name) }
        var updated = self
        var headers = self.headers
        headers.remove(name: "Age")
        for field in updates { headers.remove(name: field.name) }
        for field in updates { headers.add(name: field.name, value: field.value) }
        updated.headers = headers
        if updates.contains(name: "Vary") { updated.varying = Self.varying(updates, of: request) }
        updated.requestedAt = requestedAt
        updated.receivedAt = receivedAt
        updated.isInvalid = false
        return updated
    }

    /// The reply to `GET` after one to `HEAD` (section 4.3.5): updated by a 200 that fits, invalid after one that does not.
    /// Other statuses say nothing.
    ///
    /// A 200 fits if validators and length that it has are the same, and if there is a validator where this reply has one.
    func updated(
        byHead headers: HTTPHeaders,
        statusCode: Int,
        answering request: URLRequest,
        requestedAt: Date,
        receivedAt: Date
    ) -> StoredReply {
        guard statusCode == 200, method == .get, selects(request) else { return self }
        guard fits(headers) else {
            var invalid = self
            invalid.isInvalid = true
            return invalid
        }
        return updated(by: headers, answering: request, requestedAt: requestedAt, receivedAt: receivedAt)
    }

    private func fits(_ other: HTTPHeaders) -> Bool {
        if let length = other["Content-Length"], length != headers["Content-Length"] { return false }
        let (tag, changed) = (EntityTag(other), other.values(for: "Last-Modified").first)
        if let tag, EntityTag(headers) != tag { return false }
        if let changed, !isLastModified(changed) { return false }
        return tag != nil || changed != nil
            || (EntityTag(headers) == nil && !headers.contains(name: "Last-Modified"))
    }

    /// The head of an answer to a request for this URL that is given at this time, with its `Age` (section 5.1).
    func head(at now: Date, for url: URL) -> ResponseHead {
        let age = DeltaSeconds.text(Freshness(of: self, at: now).age)
        return facts.head(age: age, for: url) {
            var headers = headers
            headers["Age"] = age
            return ResponseHead(statusCode: statusCode, headers: headers, url: url)
        }
    }
}
