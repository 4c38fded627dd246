import Foundation
import LoopbackServer

/// A file of any size, generated from its name, with validators and ranges (RFC 9110, sections 8.8 and 14).
///
/// `?size=` is the number of bytes. The first 16,384 are sent at once, the others at `?rate=` or `X-Rate` bytes per
/// second. Another `?version=` is another file with another entity tag.
struct GeneratedFile: Sendable {
    private static let chunk = 16_384
    private static let lastModified = "Mon, 01 May 2023 17:37:11 GMT"

    private let size: Int
    private let rate: Int
    private let seed: UInt64
    private let tag: String

    init(_ name: String, _ request: ServerRequest) throws {
        size = try request.number("size", in: 0...Self.large(100_000_000_000), default: 1_000_000)
        let stated = request.headers["X-Rate"].flatMap { Int($0) } ?? Self.large(1_000_000_000_000)
        rate = try request.number("rate", in: 1...Self.large(1_000_000_000_000), default: max(1, stated))
        let version = request.queryValue("version") ?? "1"
        let seed = fnv1a("\(name) \(version)".utf8)
        self.seed = seed
        tag = "\"\(String(seed, radix: 16))-\(size)\""
    }

    /// The number, or the largest `Int` on systems with 32 bits.
    private static func large(_ number: Int64) -> Int { Int(clamping: number) }

    /// The byte at an offset. The multiplier is odd, so that neighboring runs differ.
    private func byte(_ place: Int) -> UInt8 {
        UInt8(
            truncatingIfNeeded: (UInt64(truncatingIfNeeded: place / 8) &* 0x9E37_79B9_7F4A_7C15 ^ seed)
                >> UInt64(place % 8 * 8)
        )
    }

    func response(to request: ServerRequest) throws -> ServerResponse {
        var headers = HTTPFields([
            "Content-Type": "application/octet-stream", "ETag": tag, "Last-Modified": Self.lastModified,
            "Accept-Ranges": "bytes",
        ])
        if request.headers.tokens(for: "If-None-Match").contains(tag) {
            return ServerResponse(status: 304, headers: headers)
        }
        guard let field = request.headers["Range"], appliesRange(request), let range = range(field) else {
            return ServerResponse(status: 200, headers: headers, body: body(0..<size))
        }
        guard !range.isEmpty else {
            headers["Content-Range"] = "bytes */\(size)"
            return .error(416, "The file has \(size) bytes.", headers: headers)
        }
        headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        return ServerResponse(status: 206, headers: headers, body: body(range))
    }

    /// The range in a `Range` field (RFC 9110, section 14.2), which is empty after the end of the file. `nil` for
    /// another unit, several ranges, or a syntax error: then the response is the whole file.
    private func range(_ field: String) -> Range<Int>? {
        guard let match = field.wholeMatch(of: /(?i:bytes)=([0-9]{0,18})-([0-9]{0,18})/) else { return nil }
        switch (Int(match.1), Int(match.2)) {
        case (nil, nil): return nil
        case (nil, let count?): return max(0, size - count)..<size
        case (let first?, let last):
            guard first <= last ?? .max else { return nil }
            return min(first, size)..<(min(last ?? .max, size - 1) + 1)
        }
    }

    /// Whether `If-Range` names this version (RFC 9110, section 13.1.5).
    private func appliesRange(_ request: ServerRequest) -> Bool {
        guard let condition = request.headers["If-Range"] else { return true }
        return condition == tag || condition == Self.lastModified
    }

    private func body(_ range: Range<Int>) -> ServerResponse.Body {
        .sized(range.count) { write in
            let start = ContinuousClock.now
            let first = min(range.lowerBound + Self.chunk, range.upperBound)
            try write(Data((range.lowerBound..<first).map(byte)))
            var place = first
            while place < range.upperBound {
                // In small pieces, to notice the end of the connection.
                let end = min(place + max(1, min(Self.chunk, rate / 10)), range.upperBound)
                let wait = (start + .seconds(Double(end - first) / Double(rate))) - ContinuousClock.now
                if wait > .zero { Thread.sleep(forTimeInterval: wait / .seconds(1)) }
                try write(Data((place..<end).map(byte)))
                place = end
            }
        }
    }
}
