import Basics

/// The directives of `Cache-Control` in a request or a response (RFC 9111, section 5.2). Unknown ones are ignored.
///
/// If a directive is repeated with different seconds, or has an invalid number, the strictest value is taken: nothing
/// is fresh (section 4.2.1).
struct CacheControl: Sendable, Equatable {
    var noStore = false
    /// Also set for `no-cache="Field"`, which asks for less: to validate is always correct.
    var noCache = false
    var mustRevalidate = false
    var mustUnderstand = false
    var isPublic = false
    /// Also set for `private="Field"`. A private cache may store either.
    var isPrivate = false
    /// The response does not change while it is fresh (RFC 8246).
    var immutable = false
    var onlyIfCached = false
    var maxAge: TimeInterval?
    /// Whether there is a lifetime for shared caches.
    var hasSharedMaxAge = false
    /// Infinite without an argument: a response of any age will do.
    var maxStale: TimeInterval?
    var minFresh: TimeInterval?
    /// RFC 5861, section 3.
    var staleWhileRevalidate: TimeInterval?
    /// RFC 5861, section 4.
    var staleIfError: TimeInterval?

    /// Reads the directives of all `Cache-Control` fields of a response.
    init(_ headers: HTTPHeaders) {
        self.init(headers.values(for: "Cache-Control"))
    }

    /// Reads the directives of a request. `Pragma: no-cache` counts only without `Cache-Control` (section 5.4).
    init(_ request: URLRequest) {
        guard let field = request.value(forHTTPHeaderField: "Cache-Control") else {
            self.init([])
            let pragma = CacheDirective.list(request.value(forHTTPHeaderField: "Pragma") ?? "")
            noCache = pragma.contains { $0.name == "no-cache" }
            return
        }
        self.init([field])
    }

    private init(_ fields: [String]) {
        for directive in fields.flatMap(CacheDirective.list) { take(directive) }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = Self.joined(maxAge, directive.seconds)
        case "s-maxage": hasSharedMaxAge = true
        case "max-stale":
            let isBare = directive.argument == nil && !directive.isMalformed
            maxStale = Self.joined(maxStale, isBare ? .infinity : directive.seconds)
        case "min-fresh": minFresh = Self.joined(minFresh, directive.seconds, strictest: DeltaSeconds.largest)
        case "stale-while-revalidate": staleWhileRevalidate = Self.joined(staleWhileRevalidate, directive.seconds)
        case "stale-if-error": staleIfError = Self.joined(staleIfError, directive.seconds)
        default: break
        }
    }

    private static func joined(_ old: TimeInterval?, _ new: TimeInterval?, strictest: TimeInterval = 0) -> TimeInterval
    {
        guard let new, old == nil || old == new else { return strictest }
        return new
    }
}

/// One directive of `Cache-Control`: a name, and an optional argument after `=`.
private struct CacheDirective {
    /// The name in lower case.
    let name: String

    /// The argument without quotes; nil if it is missing or malformed.
    let argument: String?

    /// True if the name is followed by something that is not an argument.
    let isMalformed: Bool

    /// The directives of one field, in their order.
    static func list(_ field: String) -> [CacheDirective] {
        field.withBytes { bytes in elements(of: bytes).compactMap(CacheDirective.init) }
    }

    private init?(_ element: UnsafeBufferPointer<UInt8>) {
        let text = element.trimmed
        let end = text.firstIndex { !$0.isToken } ?? text.count
        guard end > 0 else { return nil }
        name = String(decoding: text[..<end], as: UTF8.self).lowercasedASCII()
        let hasArgument = end < text.count && text[end] == UInt8(ascii: "=")
        argument = hasArgument ? Self.argument(of: text, at: end + 1) : nil
        isMalformed = end < text.count && argument == nil
    }

    /// The argument as a number of seconds; nil if it is not one.
    var seconds: TimeInterval? { argument.flatMap(DeltaSeconds.value(of:)) }

    private static func argument(of bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> String? {
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") {
            return bytes.quotedString(at: start).flatMap { $0.end == bytes.count ? $0.text : nil }
        }
        return bytes[start...].allSatisfy(\.isToken) ? String(decoding: bytes[start...], as: UTF8.self) : nil
    }

    /// The parts between commas that are not quoted. A quote without an end is an ordinary byte, so that it hides no
    /// directive.
    private static func elements(of bytes: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
        var elements: [UnsafeBufferPointer<UInt8>] = []
        var start = 0
        var index = 0
        var mayQuote = true
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: ",") {
                elements.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                start = index + 1
            } else if mayQuote, bytes[index] == UInt8(ascii: "\"") {
                let end = bytes.quotedString(at: index)?.end
                mayQuote = end != nil
                index = end.map { $0 - 1 } ?? index
            }
            index += 1
        }
        return elements + [UnsafeBufferPointer(rebasing: bytes[start...])]
    }
}

/// A number of seconds in a header field (RFC 9111, section 1.2.2).
enum DeltaSeconds {
    /// The maximum: larger numbers are read as this one. 2³¹, about 68 years.
    static let largest: TimeInterval = 2_147_483_648

    /// The number; nil if the text has anything but digits.
    static func value(of text: some StringProtocol) -> TimeInterval? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return min(Double(text) ?? largest, largest)
    }

    /// The text for a number, rounded down.
    static func text(_ seconds: TimeInterval) -> String {
        String(Int(min(max(0, seconds), largest)))
    }
}
