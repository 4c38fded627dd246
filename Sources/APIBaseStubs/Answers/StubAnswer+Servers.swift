import Basics
public import Foundation

/// Answers that do what servers do over several requests.
extension StubAnswer {
    /// A stream of server-sent events, each in a piece of its own: those behind the `Last-Event-ID` of the request, if it has
    /// one of them. `delay` is the wait before each, `retry` what a client is told to wait before it connects again. The stream
    /// ends behind the last one, and a client connects again, unless it `staysOpen`.
    public static func events(
        _ events: [ServerSentEvent],
        every delay: Duration = .zero,
        retry: Duration? = nil,
        staysOpen: Bool = false
    ) -> StubAnswer {
        StubAnswer(
            .function { call in
                let last = call.headers["Last-Event-ID"]
                let seen = last.flatMap { id in events.lastIndex { $0.lastEventID == id } }.map { $0 + 1 } ?? 0
                var pieces = events[seen...].map { Data($0.streamText.utf8) }
                if let retry { pieces.insert(Data("retry: \(retry.milliseconds)\n\n".utf8), at: 0) }
                var answer = typed("text/event-stream", pieces.reduce(Data(), +), 200, [:])
                answer.chunks = .lengths(pieces.map(\.count))
                answer.chunkDelay = .fixed(delay)
                answer.staysOpen = staysOpen
                return answer
            }
        )
    }

    /// The page that the request asks for, as JSON, with a `Link` header (RFC 8288) to the next, the previous, the first and
    /// the last one. The query item `item` has its number, from 1; without it, the first page is asked for. Status 404 if there is
    /// no such page. Without an `encoder`, that of the request object encodes them.
    public static func pages<Page: Encodable & Sendable>(
        _ pages: [Page],
        item: String = "page",
        encoder: (@Sendable () -> JSONEncoder)? = nil
    ) -> StubAnswer {
        StubAnswer(
            .function { call in
                let number = call.queryItem(item).map { Int($0) ?? 0 } ?? 1
                guard number > 0, number <= pages.count else { return .status(404) }
                let targets = [("next", number + 1), ("prev", number - 1), ("first", 1), ("last", pages.count)]
                let links = targets.filter { pages.indices.contains($0.1 - 1) }.map { name, target in
                    "<\(call.url(with: item, String(target)))>; rel=\"\(name)\""
                }
                let headers: HTTPHeaders = ["Link": links.joined(separator: ", ")]
                return .json(try (encoder?() ?? call.encoder).encode(pages[number - 1]), headers: headers)
            }
        )
    }

    /// Bytes of which a part can be asked for (RFC 9110, section 14): 206 for a `Range`, 416 for one that is not there, and
    /// everything for a request without one, or whose `If-Range` names another state of the bytes than `etag`, which has quotes.
    public static func ranges(
        of data: Data,
        etag: String = "\"1\"",
        contentType: String = "application/octet-stream"
    ) -> StubAnswer {
        StubAnswer(
            .function { call in
                var headers: HTTPHeaders = ["Accept-Ranges": "bytes", "ETag": etag, "Content-Type": contentType]
                let isSame = call.headers["If-Range"].map { $0 == etag && !etag.hasPrefix("W/") } ?? true
                guard call.method == .get, isSame, let range = call.headers["Range"].flatMap(ByteRange.init) else {
                    headers["Content-Length"] = String(data.count)
                    return .status(200, headers: headers, data: data)
                }
                guard let part = range.bounds(in: data.count) else {
                    return .status(416, headers: ["Content-Range": "bytes */\(data.count)"])
                }
                headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(data.count)"
                headers["Content-Length"] = String(part.count)
                return .status(206, headers: headers, data: Data(data.dropFirst(part.lowerBound).prefix(part.count)))
            }
        )
    }

    /// Status 429 with `Retry-After` (RFC 6585, section 4), in whole seconds: rounded up, and 0 for less than nothing.
    public static func tooManyRequests(retryAfter: Duration) -> StubAnswer {
        .status(429, headers: ["Retry-After": String(retryAfter.wholeSeconds)])
    }

    /// The same for a request with a bearer token that holds: any but `token` once it has been used so often. For all others
    /// status 401 with `WWW-Authenticate` (RFC 6750, section 3).
    public func expiring(_ token: String, afterUses uses: Int = 0) -> StubAnswer {
        let used = Locked(0)
        let refusal = StubAnswer.status(401, headers: ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
        return StubAnswer(
            .function { call in
                let parts = (call.headers["Authorization"] ?? "").split(separator: " ", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == "bearer" else { return refusal }
                guard parts[1] == token else { return self }
                let number = used.withLock { used in
                    used += 1
                    return used
                }
                return number <= uses ? self : refusal
            }
        )
    }
}

extension StubbedCall {
    /// The URL of the call with another value of a query item.
    fileprivate func url(with item: String, _ value: String) -> String {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        let items = parts.queryItems ?? []
        parts.queryItems = items.filter { $0.name != item } + [URLQueryItem(name: item, value: value)]
        return parts.string ?? ""
    }
}

extension Duration {
    /// Rounded up.
    fileprivate var wholeSeconds: Int64 {
        let (seconds, attoseconds) = countable.components
        return attoseconds > 0 ? seconds + 1 : seconds
    }

    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = countable.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// Nothing at the least, since a header has digits only, and at most as many milliseconds as can be counted.
    private var countable: Duration { min(max(.zero, self), .milliseconds(Int64.max)) }
}
