import Basics
public import Foundation

/// Answers that behave like servers over several requests.
extension StubAnswer {
    /// Answers with a stream of server-sent events, each in its own chunk.
    ///
    /// The stream begins after the event that the request's `Last-Event-ID` names, or with the first one. Each event
    /// comes after `delay`. The stream ends after the last event, and a client reconnects, unless `staysOpen` is set.
    /// `retry` is the time that the client is told to wait before it reconnects.
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

    /// Answers with the page that the request asks for, as JSON, and with a `Link` header (RFC 8288) to the next,
    /// previous, first and last page. Status 404 if there is no such page.
    ///
    /// The query item with the name `item` has the number of the page, from 1; without it, the first page is returned.
    /// The page is encoded by `encoder`, or else by the encoder of the request object.
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

    /// Answers with bytes that can be requested in ranges (RFC 9110, section 14).
    ///
    /// Status 206 for a `Range`, and 416 for one that cannot be satisfied. All bytes for a request without `Range`, or
    /// with an `If-Range` that is not `etag` (given with its quotes).
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

    /// Answers with status 429 and `Retry-After` (RFC 6585, section 4), in whole seconds, rounded up. Negative
    /// durations count as 0.
    public static func tooManyRequests(retryAfter: Duration) -> StubAnswer {
        .status(429, headers: ["Retry-After": String(retryAfter.wholeSeconds)])
    }

    /// Returns this answer for requests with a valid bearer token, and status 401 with `WWW-Authenticate` for all
    /// others (RFC 6750, section 3). `token` is valid `uses` times; every other token is always valid.
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

private struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// Nil if the header is invalid or has several ranges.
    init?(_ header: String) {
        guard let match = header.wholeMatch(of: /(?i)bytes\s*=\s*(\d*)-(\d*)/), !match.1.isEmpty || !match.2.isEmpty
        else { return nil }
        (first, last) = (Int(match.1), Int(match.2))
        if let first, let last, last < first { return nil }
    }

    /// The part of `count` bytes; nil if the range cannot be satisfied.
    func bounds(in count: Int) -> Range<Int>? {
        guard let first else {
            guard let last, last > 0, count > 0 else { return nil }
            return max(0, count - last)..<count
        }
        return first < count ? first..<min(last ?? .max - 1, count - 1) + 1 : nil
    }
}

extension StubbedCall {
    fileprivate func url(with item: String, _ value: String) -> String {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        let items = parts.queryItems ?? []
        parts.queryItems = items.filter { $0.name != item } + [URLQueryItem(name: item, value: value)]
        return parts.string ?? ""
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 {
        let (seconds, attoseconds) = countable.components
        return attoseconds > 0 ? seconds + 1 : seconds
    }

    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = countable.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// At least zero, since a header has digits only, and at most what an `Int64` of milliseconds can hold.
    private var countable: Duration { min(max(.zero, self), .milliseconds(Int64.max)) }
}
