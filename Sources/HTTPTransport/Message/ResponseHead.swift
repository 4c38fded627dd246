public import Foundation
import Basics

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Status and headers of a response.
///
/// An engine knows them in one form: as lines, as parsed headers or as an `HTTPURLResponse`. The others are made at most
/// once, when they are first asked for, because either way costs more than the rest of a small exchange.
public struct ResponseHead: Sendable {
    private struct Forms {
        var block: FieldBlock?
        var framing: FieldBlock.Framing?
        var headers: HTTPHeaders?
        var response: HTTPURLResponse?

        mutating func makeHeaders() -> HTTPHeaders {
            if let headers { return headers }
            let made = block?.makeHeaders() ?? HTTPHeaders(response?.headerDictionary ?? [:])
            headers = made
            block = nil
            return made
        }
    }

    /// The status code as it came; not checked to be in 100 to 599.
    public let statusCode: Int

    /// The URL that answered: the last of a chain of redirects.
    public let url: URL

    /// The version the response came in, as `HTTP/1.1`; nil if the engine does not tell (`URLSession` does not).
    public let httpVersion: String?

    /// Whether the lines were checked before they became a head.
    let isChecked: Bool

    private let forms: Locked<Forms>

    /// A head from what was parsed.
    ///
    /// - Precondition: Foundation takes `statusCode` and `url` for an `HTTPURLResponse`; it is not known to refuse any.
    public init(statusCode: Int, headers: HTTPHeaders, url: URL, httpVersion: String? = nil) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        isChecked = false
        forms = Locked(Forms(headers: headers))
    }

    /// A head from lines that have been checked.
    init(statusCode: Int, block: FieldBlock, framing: FieldBlock.Framing, url: URL, httpVersion: String) {
        self.statusCode = statusCode
        self.url = url
        self.httpVersion = httpVersion
        isChecked = true
        forms = Locked(Forms(block: block, framing: framing))
    }

    /// A head from Foundation's response. `url` is used if the response has none.
    public init(_ response: HTTPURLResponse, url: URL) {
        statusCode = response.statusCode
        self.url = response.url ?? url
        httpVersion = nil
        isChecked = false
        forms = Locked(Forms(response: response))
    }

    /// The header fields. From `URLSession` they are sorted by name and repeats are joined by `", "`, as Foundation
    /// keeps them.
    public var headers: HTTPHeaders {
        forms.withLock { $0.makeHeaders() }
    }

    /// The response as Foundation has it.
    public var httpURLResponse: HTTPURLResponse {
        forms.withLock { forms in
            if let response = forms.response { return response }
            let response = makeResponse(headers: forms.makeHeaders())
            forms.response = response
            return response
        }
    }

    private func makeResponse(headers: HTTPHeaders) -> HTTPURLResponse {
        let version = httpVersion ?? "HTTP/1.1"
        guard
            let response = HTTPURLResponse(
                url: url,
                statusCode: statusCode,
                httpVersion: version,
                headerFields: headers.dictionary
            )
        else { preconditionFailure("HTTPURLResponse refuses status \(statusCode)") }
        return response
    }

    /// The size of the header fields as ``ExchangeLimits/headerBytes`` counts it.
    var headerBytes: Int {
        forms.withLock { forms in
            forms.block?.count
                ?? forms.makeHeaders().reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        }
    }

    /// The length of the body as the response declares it, nil if it has none or says nonsense.
    var contentLength: Int64? {
        if let framing = forms.withLock({ $0.framing }) { return framing.contentLength }
        return headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// The number of bytes to be handed out according to ``contentLength``: nil if they are decoded on the way.
    package var expectedBytes: Int64? {
        if let framing = forms.withLock({ $0.framing }) {
            return framing.coding == nil ? framing.contentLength : nil
        }
        let encoding = headers["Content-Encoding"]?.lowercasedASCII() ?? "identity"
        return encoding == "identity" ? contentLength : nil
    }
}

extension HTTPURLResponse {
    /// The header fields as text: Foundation's dictionary is untyped.
    package var headerDictionary: [String: String] {
        var dictionary: [String: String] = [:]
        for (name, value) in allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            dictionary[name] = value
        }
        return dictionary
    }
}

extension ResponseHead: CustomStringConvertible, CustomReflectable {
    /// The status and the redacted URL: `200 from https://host/path?page=redacted`.
    public var description: String { "\(statusCode) from \(url.redacted?.absoluteString ?? "<no URL>")" }

    /// The mirror for `dump`: the description and nothing else, since headers and URL may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: [(label: "head", value: description as Any)]) }
}
