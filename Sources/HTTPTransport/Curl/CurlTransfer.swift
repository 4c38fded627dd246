#if os(Linux) || os(Android)
import CCurl

/// One of libcurl's handles, used for one exchange after another. Belongs to the thread of the loop.
struct CurlTransfer {
    let state: UnsafeMutablePointer<ccurl_transfer>

    /// Bytes that are received at a time. Allocated for each transfer: from 64 KiB on, freeing them has glibc tidy its
    /// whole heap.
    private static let received = 32 << 10

    private let httpVersion: CurlSession.Configuration.HTTPVersion

    /// A handle with what the configuration says; nil if there is no memory or libcurl refuses the configuration.
    init?(on loop: OpaquePointer, _ configuration: CurlSession.Configuration) {
        guard let state = ccurl_transfer_new(loop) else { return nil }
        self.state = state
        httpVersion = configuration.httpVersion
        guard apply(configuration) else {
            ccurl_transfer_free(state)
            return nil
        }
    }

    func free() {
        ccurl_transfer_free(state)
    }

    /// Gets ready for one request with a host.
    func prepare(_ request: CurlRequest, framing: CurlFraming, with host: CurlHost) -> Bool {
        let mayBeHTTP2 =
            httpVersion == .http2
            || httpVersion == .automatic && request.isSecure && host.isMultiplexed != false
        ccurl_transfer_reset(state)
        state.pointee.header_limit = request.headerBytes
        state.pointee.may_repeat = request.mayRepeat
        state.pointee.expects_silence = httpVersion != .http2 && host.isMultiplexed == false
        var isSet = set(CCURL_URL, request.url)
        // Only TLS tells before the first answer whether a connection can be shared: elsewhere one slow answer would
        // hold all others.
        isSet = isSet && set(CCURL_PIPEWAIT, request.isSecure ? 1 : 0)
        isSet = isSet && prepareForHTTP2(request, mayBeUsed: mayBeHTTP2)
        for line in request.lines { isSet = isSet && add(CCURL_HTTPHEADER, line) }
        for line in request.refusals(framing) { isSet = isSet && add(CCURL_HTTPHEADER, line) }
        // The last request's way of sending is taken back first: libcurl keeps parts of it otherwise, and with fields
        // to post it would not rewind another body.
        isSet = isSet && set(CCURL_POSTFIELDS, nil) && set(CCURL_NOBODY, 0) && set(CCURL_HTTPGET, 1)
        isSet = isSet && set(CCURL_CUSTOMREQUEST, request.method == "GET" ? nil : request.method)
        switch framing {
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

    /// What libcurl's first versions of HTTP/2 need.
    private func prepareForHTTP2(_ request: CurlRequest, mayBeUsed: Bool) -> Bool {
        let head = mayBeUsed && !ccurl_splits_heads() ? min(request.headerBytes, 512 << 10) : 0
        guard set(CCURL_BUFFERSIZE, max(Self.received, head)) else { return false }
        guard httpVersion == .http2, !ccurl_keeps_plain_http2() else { return true }
        let isAlone = request.isSecure ? 0 : 1
        return set(CCURL_FRESH_CONNECT, isAlone) && set(CCURL_FORBID_REUSE, isAlone)
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

#endif
