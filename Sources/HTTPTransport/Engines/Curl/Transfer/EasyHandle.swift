#if os(Linux) || os(Android)
import CCurl

/// One of libcurl's easy handles. Belongs to the leader of its event loop.
struct EasyHandle {
    let state: UnsafeMutablePointer<ccurl_transfer>

    let buffers: Buffers
    let httpVersion: CurlSession.Configuration.HTTPVersion
    private let identity: CurlSession.Configuration.Identity?

    /// A handle with what the configuration says.
    init(
        on loop: OpaquePointer,
        _ configuration: CurlSession.Configuration,
        _ buffers: Buffers
    ) throws(EngineFailure) {
        guard let state = ccurl_loop_new_transfer(loop) else {
            throw EngineFailure(reason: .engine, underlying: CurlError.outOfMemory)
        }
        self.state = state
        httpVersion = configuration.httpVersion
        identity = configuration.identity
        self.buffers = buffers
        do throws(OptionRefused) {
            try apply(configuration)
            try set(.bufferSize, buffers.received)
            try set(.uploadBufferSize, buffers.sent)
        } catch {
            ccurl_transfer_free(state)
            throw error.failure
        }
    }

    /// Gets ready for one request. `isMultiplexed` is whether one connection with the origin carries many hops, nil if no
    /// response has told yet.
    func prepare(
        _ request: CurlRequest,
        framing: CurlFraming,
        isMultiplexed: Bool?
    ) throws(OptionRefused) {
        state.pointee.header_limit = request.headerBytes
        try prepareForReuse(request, isMultiplexed: isMultiplexed)
        try set(.url, request.urlText)
        if let identity, request.isSecure { try present(identity) }
        // Only TLS tells before the first response whether a connection can be shared: elsewhere one slow response would
        // hold all others.
        try set(.pipeWait, request.isSecure ? 1 : 0)
        try setLines(request.lines, suppressing: request.suppressed(framing))
        // The last request's way of sending is taken back first: libcurl keeps parts of it otherwise, and with fields
        // to post it would not rewind another body.
        try set(.postFields, nil)
        try set(.noBody, 0)
        try set(.httpGet, 1)
        try set(.customRequest, request.method == .get ? nil : request.method.rawValue)
        switch framing {
        case .none where request.method == .head: try set(.noBody, 1)
        case .none: break
        case .empty:
            try set(.postFields, "")
            try set(.post, 1)
            try check(.postFieldSize, ccurl_set_offset(state, CurlOption.postFieldSize.rawValue, 0))
        case .body(let length):
            state.pointee.has_request_body = true
            try set(.upload, 1)
            try check(.inFileSize, ccurl_set_offset(state, CurlOption.inFileSize.rawValue, length ?? -1))
        }
    }

    private func setLines(_ lines: [UInt8], suppressing suppressed: String?) throws(OptionRefused) {
        var lines = lines
        if let suppressed { lines += Array(suppressed.utf8) + [0] }
        let code = lines.withUnsafeBytes { bytes in
            ccurl_set_lines(state, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        try check(.httpHeader, code)
    }

    /// Whether a hop over HTTP/2 has to have a connection of its own.
    func isAlone(_ request: CurlRequest) -> Bool {
        httpVersion == .http2 && !request.isSecure && !ccurl_keeps_plain_http2()
    }

    func set(_ option: CurlOption, _ value: Int) throws(OptionRefused) {
        try check(option, ccurl_set_long(state, option.rawValue, value))
    }

    func set(_ option: CurlOption, _ value: String?) throws(OptionRefused) {
        try check(option, ccurl_set_text(state, option.rawValue, value))
    }

    func check(_ option: CurlOption, _ code: Int32) throws(OptionRefused) {
        guard code == CurlCode.ok.rawValue else { throw OptionRefused(option: option, code: code) }
    }
}
#endif
