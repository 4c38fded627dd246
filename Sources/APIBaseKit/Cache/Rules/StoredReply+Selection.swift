import Basics

extension StoredReply {
    /// A reply to be stored, with digests of what `Vary` names of the request (RFC 9111, section 4.1), and without the fields of one
    /// connection. A reply without `Date` gets one (RFC 9110, section 6.6.1).
    init(
        answering request: URLRequest,
        statusCode: Int,
        headers: HTTPHeaders,
        body: Data,
        requestedAt: Date,
        receivedAt: Date
    ) {
        self.init(
            method: request.method,
            varying: Self.varying(headers, of: request),
            statusCode: statusCode,
            headers: headers.withoutHopFields.dated(receivedAt),
            body: body,
            requestedAt: requestedAt,
            receivedAt: receivedAt
        )
    }

    /// Whether the reply may answer a request to its URL (section 4.1): the fields that `Vary` names are the same, but for
    /// blanks that mean nothing. What answers `GET` answers `HEAD`.
    func selects(_ request: URLRequest) -> Bool {
        guard method == request.method || (method == .get && request.method == .head),
            !facts.variesByAnything
        else { return false }
        return varying.allSatisfy { name, value in
            value == request.value(forHTTPHeaderField: name).map(Self.digest)
        }
    }

    /// Digests of the fields of a request that these headers name.
    static func varying(_ headers: HTTPHeaders, of request: URLRequest) -> [String: [UInt8]?] {
        headers.varyNames.reduce(into: [:]) { varying, name in
            varying.updateValue(request.value(forHTTPHeaderField: name).map(digest), forKey: name)
        }
    }

    /// The digest of a value, the same for values that mean the same.
    static func digest(of value: String) -> [UInt8] { SHA256.digest(of: normalised(value)) }

    /// The value without blanks at its ends and around commas, and with one for many elsewhere. In quotes all count.
    private static func normalised(_ value: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var (isQuoted, isEscaped, isAfterBlank) = (false, false, false)
        for byte in value.utf8 {
            if byte.isBlank, !isQuoted {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, let last = bytes.last, last != UInt8(ascii: ","), byte != UInt8(ascii: ",") {
                bytes.append(UInt8(ascii: " "))
            }
            isAfterBlank = false
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\")
            bytes.append(byte)
        }
        return bytes
    }
}

extension HTTPHeaders {
    /// The fields with a `Date`, which is this one if there is none.
    func dated(_ date: Date) -> HTTPHeaders {
        guard !contains(name: "Date") else { return self }
        var dated = self
        dated.add(name: "Date", value: HTTPDate.text(date))
        return dated
    }
}
