public import Foundation
import Basics

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Status and headers of a response.
///
/// An engine has them in one form: as lines, as parsed headers or as an `HTTPURLResponse`. The other forms are created
/// on first use, because each costs more than the rest of a small request.
public struct ResponseHead: Sendable {
    // One reference, since heads pass through many objects.
    private final class Parts: Sendable {
        let statusCode: Int
        let url: URL
        let httpVersion: String?
        let framing: FieldBlock.Framing?
        let forms: Locked<Forms>

        init(_ statusCode: Int, _ url: URL, _ httpVersion: String?, _ framing: FieldBlock.Framing?, _ forms: Forms) {
            self.statusCode = statusCode
            self.url = url
            self.httpVersion = httpVersion
            self.framing = framing
            self.forms = Locked(forms)
        }
    }

    private struct Forms {
        var block: FieldBlock?
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

    private let parts: Parts

    /// The status code as it came; not checked to be in 100 to 599.
    public var statusCode: Int { parts.statusCode }

    /// The URL of the response: the last of a chain of redirects.
    public var url: URL { parts.url }

    /// The version of the response, as `HTTP/1.1`; nil if the engine does not report it (`URLSession` does not).
    public var httpVersion: String? { parts.httpVersion }

    /// The framing of the body by lines that have been checked; nil for other heads.
    var framing: FieldBlock.Framing? { parts.framing }

    /// A head of parsed parts.
    ///
    /// - Precondition: `HTTPURLResponse` accepts `statusCode` and `url`; it is not known to refuse any.
    public init(statusCode: Int, headers: HTTPHeaders, url: URL, httpVersion: String? = nil) {
        parts = Parts(statusCode, url, httpVersion, nil, Forms(headers: headers))
    }

    /// A head from lines that have been checked.
    init(statusCode: Int, block: FieldBlock, framing: FieldBlock.Framing, url: URL, httpVersion: String) {
        parts = Parts(statusCode, url, httpVersion, framing, Forms(block: block))
    }

    /// A head from Foundation's response. `url` is used if the response has none.
    public init(_ response: HTTPURLResponse, url: URL) {
        parts = Parts(response.statusCode, response.url ?? url, nil, nil, Forms(response: response))
    }

    /// The header fields. From `URLSession` they are sorted by name and repeats are joined by `", "`, as Foundation
    /// keeps them.
    public var headers: HTTPHeaders {
        parts.forms.withLock { $0.makeHeaders() }
    }

    /// The value of one field, as ``headers`` has it, without parsing the others. `name` is in lower case.
    package func value(of name: StaticString) -> String? {
        parts.forms.withLock { forms in
            if let block = forms.block { return block.value(of: name) }
            return forms.makeHeaders()["\(name)"]
        }
    }

    /// False if no field has a name that contains this text, which is in lower case. It may be true if only a value
    /// contains it: this is for skipping a search for many fields, in the time for one of them.
    package func mayHaveField(containing text: StaticString) -> Bool {
        parts.forms.withLock { forms in
            if let block = forms.block { return block.contains(text) }
            return forms.makeHeaders().fields.contains { $0.name.withBytes { $0.contains(ignoringCase: text) } }
        }
    }

    /// The response as Foundation's type.
    public var httpURLResponse: HTTPURLResponse {
        parts.forms.withLock { forms in
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

    /// The size of the header fields as ``ExchangeRequest/Limits/headerBytes`` counts it.
    var headerBytes: Int {
        parts.forms.withLock { forms in
            forms.block?.count
                ?? forms.makeHeaders().reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        }
    }

    /// Checks the head.
    ///
    /// Invalid or different lengths leave open where the body ends: what one reader takes for its rest, another takes
    /// for the next response (RFC 9110, section 8.6; RFC 9112, section 6.3). A field value must not contain a line end
    /// or a NUL (RFC 9110, section 5.5), and a status has three digits.
    func check() throws(MalformedHead) {
        guard (100...999).contains(statusCode) else { throw .status }
        if framing != nil { return }
        var length: Int64?
        for (name, value) in headers {
            let isOneLine = value.withBytes { $0.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 } }
            guard isOneLine else { throw .forbiddenByte }
            guard name.equalsIgnoringCase("Content-Length") else { continue }
            length = try value.withBytes { bytes in
                Result { () throws(MalformedHead) in try bytes.contentLength(agreeingWith: length) }
            }
            .get()
        }
    }

    /// The declared length of the body; nil without a valid one.
    var contentLength: Int64? {
        if let framing { return framing.contentLength }
        return headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// The number of bytes to be delivered according to ``contentLength``; nil if the body is decoded on the way.
    package var expectedBytes: Int64? {
        if let framing {
            return framing.coding == nil ? framing.contentLength : nil
        }
        return ContentCodings(headers["Content-Encoding"]).decoded == nil ? contentLength : nil
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
