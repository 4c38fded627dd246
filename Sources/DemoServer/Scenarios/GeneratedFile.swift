import Foundation

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
        guard let field = request.headers["Range"], appliesRange(request) else {
            return ServerResponse(status: 200, headers: headers, body: body(0..<size))
        }
        switch RequestedRange(field, size: size) {
        case .unusable: return ServerResponse(status: 200, headers: headers, body: body(0..<size))
        case .unsatisfiable:
            headers["Content-Range"] = "bytes */\(size)"
            return .error(416, "The file has \(size) bytes.", headers: headers)
        case .bytes(let range):
            headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
            return ServerResponse(status: 206, headers: headers, body: body(range))
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

/// The range in a `Range` field (RFC 9110, section 14.2).
private enum RequestedRange: Equatable {
    case bytes(Range<Int>)
    /// The range starts after the end.
    case unsatisfiable
    /// Another unit, several ranges, or a syntax error: the response is the whole file.
    case unusable

    init(_ field: String, size: Int) {
        let parts = field.split(separator: "=", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else {
            self = .unusable
            return
        }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.isEmpty || Int($0) != nil && $0.first != "+" }) else {
            self = .unusable
            return
        }
        switch (Int(ends[0]), Int(ends[1])) {
        case (nil, nil): self = .unusable
        case (nil, let count?): self = count > 0 && size > 0 ? .bytes(max(0, size - count)..<size) : .unsatisfiable
        case (let first?, let last): self = Self.part(first, last ?? .max, size)
        }
    }

    private static func part(_ first: Int, _ last: Int, _ size: Int) -> RequestedRange {
        guard first <= last else { return .unusable }
        return first < size ? .bytes(first..<(min(last, size - 1) + 1)) : .unsatisfiable
    }
}
