import HTTPTransport

extension PartialFile.Knowledge {
    /// Reads from a reply the facts for resuming its download later; `nil` if it cannot be resumed.
    init?(url: String, _ response: HTTPURLResponse) {
        guard response.isUncompressed, let validator = response.strongValidator,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none"
        else { return nil }
        self.init(url: url, validator: validator, total: response.fileLength, digest: ReprDigest(response))
    }

    /// Whether the validator can be sent: what is in a file may be anything.
    var isSendable: Bool { validator.isSendableValidator }

    /// Whether a part is one of the same version of the file, and reaches to its end.
    func isConfirmed(by response: HTTPURLResponse, _ part: ContentRange) -> Bool {
        guard response.isUncompressed else { return false }
        if HTTPDate.date(validator) == nil {
            // A reply that has to do with a tag has to name it (RFC 9110, section 15.3.7): some servers pass over `If-Range`.
            guard EntityTag(HTTPHeaders(response.headerDictionary))?.text == validator else { return false }
        } else if let changed = response.value(forHTTPHeaderField: "Last-Modified"), changed != validator {
            return false
        }
        if let total, let stated = part.total, stated != total { return false }
        return (total ?? part.total).map { part.last == $0 - 1 } ?? true
    }
}

extension ContentRange {
    init?(_ response: HTTPURLResponse) {
        guard let field = response.value(forHTTPHeaderField: "Content-Range") else { return nil }
        self.init(field)
    }
}

extension HTTPURLResponse {
    /// Whether the bytes are those that were sent.
    var isUncompressed: Bool {
        (value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity"
    }

    /// The length in bytes of the whole file in this reply; `nil` if it is compressed or not stated.
    var fileLength: Int64? {
        guard isUncompressed else { return nil }
        return value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    /// A strong validator of the file, which identifies its version: a strong entity tag, or a date of change a minute or more
    /// before that of the reply (RFC 9110, section 8.8.2.2). `nil` if there is none.
    fileprivate var strongValidator: String? {
        if let tag = EntityTag(HTTPHeaders(headerDictionary)) { return tag.isWeak ? nil : tag.text }
        guard let changed = value(forHTTPHeaderField: "Last-Modified"), let date = value(forHTTPHeaderField: "Date"),
            let change = HTTPDate.date(changed), let now = HTTPDate.date(date), now.timeIntervalSince(change) >= 60
        else { return nil }
        return changed
    }
}
