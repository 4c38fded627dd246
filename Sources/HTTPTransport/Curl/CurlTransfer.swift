#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking

/// One of libcurl's handles, used for one exchange after another. Belongs to the thread of the loop.
struct CurlTransfer {
    let state: UnsafeMutablePointer<ccurl_transfer>

    /// A handle with what the configuration says; nil if there is no memory or libcurl refuses the configuration.
    init?(on loop: OpaquePointer, _ configuration: CurlSession.Configuration) {
        guard let state = ccurl_transfer_new(loop) else { return nil }
        self.state = state
        guard apply(configuration) else {
            ccurl_transfer_free(state)
            return nil
        }
    }

    func free() {
        ccurl_transfer_free(state)
    }

    /// Gets ready for one request.
    func prepare(_ request: CurlRequest) -> Bool {
        ccurl_transfer_reset(state)
        state.pointee.header_limit = request.headerBytes
        state.pointee.may_repeat = request.mayRepeat
        var isSet = set(CCURL_URL, request.url)
        // Only TLS tells before the first answer whether a connection can be shared: elsewhere one slow answer would
        // hold all others.
        isSet = isSet && set(CCURL_PIPEWAIT, request.url.hasPrefix("https:") ? 1 : 0)
        for line in request.lines { isSet = isSet && add(CCURL_HTTPHEADER, line) }
        // The last request's way of sending is taken back first: libcurl keeps parts of it otherwise, and with fields
        // to post it would not rewind another body.
        isSet = isSet && set(CCURL_POSTFIELDS, nil) && set(CCURL_NOBODY, 0) && set(CCURL_HTTPGET, 1)
        isSet = isSet && set(CCURL_CUSTOMREQUEST, request.method == "GET" ? nil : request.method)
        switch request.framing {
        case .none where request.method == "HEAD": isSet = isSet && set(CCURL_NOBODY, 1)
        case .none: break
        case .empty:
            isSet = isSet && set(CCURL_POSTFIELDS, "") && set(CCURL_POST, 1)
            isSet = isSet && ccurl_set_offset(state, Int32(CCURL_POSTFIELDSIZE.rawValue), 0) == 0
        case .body(let length):
            isSet = isSet && set(CCURL_UPLOAD, 1)
            isSet = isSet && ccurl_set_offset(state, Int32(CCURL_INFILESIZE.rawValue), length ?? -1) == 0
        }
        return isSet
    }

    func set(_ option: CCurlOption, _ value: Int) -> Bool {
        ccurl_set_long(state, Int32(option.rawValue), value) == 0
    }

    func add(_ option: CCurlOption, _ value: String) -> Bool {
        ccurl_add_text(state, Int32(option.rawValue), value) == 0
    }

    func set(_ option: CCurlOption, _ value: String?) -> Bool {
        ccurl_set_text(state, Int32(option.rawValue), value) == 0
    }
}

/// How libcurl is to frame what is sent.
enum CurlFraming: Sendable, Equatable {
    /// No body, and no word about it.
    case none
    /// A body of no bytes.
    case empty
    /// A body of so many bytes; nil if that is not known.
    case body(length: Int64?)
}

/// A request in libcurl's terms.
struct CurlRequest: Sendable {
    let url: String
    let method: String
    let lines: [String]
    var framing: CurlFraming
    let headerBytes: Int
    /// Whether libcurl may send it again on another connection when a kept one has died (RFC 9110, section 9.2.2).
    let mayRepeat: Bool

    init(_ request: ExchangeRequest, method: String, framing: CurlFraming) {
        url = request.urlRequest.url?.withLowercaseScheme.absoluteString ?? ""
        self.method = method
        self.framing = framing
        headerBytes = min(request.limits.headerBytes, .max - Self.headerSlack) + Self.headerSlack
        mayRepeat = Self.idempotent.contains(method)
        let hasBody = framing != .none && framing != .empty
        var headers = request.wireHeaders(hasBody: hasBody || method == "POST")
        if let accepted = CurlDecoder.accepted, !headers.contains(name: "Accept-Encoding") {
            headers.add(name: "Accept-Encoding", value: accepted)
        }
        // A line without a value takes libcurl's own away; a semicolon stands for a value of no bytes.
        var lines = headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if hasBody { lines.append("Expect:") }
        if framing == .empty, !headers.contains(name: "Content-Type") { lines.append("Content-Type:") }
        self.lines = lines
    }

    /// What interim heads and status lines may take beside the headers.
    static let headerSlack = 4_096

    private static let idempotent: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
}
#endif
