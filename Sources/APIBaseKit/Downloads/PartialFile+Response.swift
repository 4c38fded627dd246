import HTTPTransport

extension PartialFile.Knowledge {
    /// What a reply says of a file that is to be gone on with later; `nil` if that can't be done.
    init?(url: String, _ response: HTTPURLResponse) {
        guard response.isUncompressed, let validator = response.strongValidator,
            response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() != "none"
        else { return nil }
        self.init(url: url, validator: validator, total: response.fileLength)
    }

    /// Whether a part is one of the same version of the file, and reaches to its end.
    func isConfirmed(by response: HTTPURLResponse, _ part: ContentRange) -> Bool {
        guard response.isUncompressed else { return false }
        if let tag = response.value(forHTTPHeaderField: "ETag"), validator.hasPrefix("\""), tag != validator {
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
    fileprivate var isUncompressed: Bool {
        (value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity"
    }

    /// How long the file is of which this reply has all.
    var fileLength: Int64? {
        guard isUncompressed else { return nil }
        return value(forHTTPHeaderField: "Content-Length").flatMap { Int64($0) }
    }

    /// What tells this version of a file from every other: a strong entity tag, or a date of change a minute or more before
    /// that of the reply (RFC 9110, section 8.8.2.2).
    fileprivate var strongValidator: String? {
        if let tag = EntityTag(HTTPHeaders(headerDictionary)) { return tag.isWeak ? nil : tag.text }
        guard let changed = value(forHTTPHeaderField: "Last-Modified"), let date = value(forHTTPHeaderField: "Date"),
            let change = HTTPDate.date(changed), let now = HTTPDate.date(date), now.timeIntervalSince(change) >= 60
        else { return nil }
        return changed
    }
}
