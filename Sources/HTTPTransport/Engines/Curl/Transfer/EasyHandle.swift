#if os(Linux) || os(Android)
import CCurl

/// One of libcurl's easy handles, its object for one hop (a single request on the wire). Used only on the thread that
/// runs its event loop.
struct EasyHandle {
    let state: UnsafeMutablePointer<ccurl_transfer>

    let buffers: Buffers
    let httpVersion: CurlSession.Configuration.HTTPVersion
    let identity: CurlSession.Configuration.Identity?
    /// The age in milliseconds from which a connection takes one last request; nil for no limit.
    let lifetimes: ClosedRange<Int64>?
    let files: SessionFiles
    /// The numbers of the contents that have been set: see ``takeFiles()``.
    var contents = (identity: 0, authorities: 0)

    init(
        on loop: OpaquePointer,
        _ configuration: CurlSession.Configuration,
        _ files: SessionFiles,
        _ buffers: Buffers
    ) throws(EngineFailure) {
        guard let state = ccurl_loop_new_transfer(loop) else {
            throw EngineFailure(reason: .engine, underlying: CurlSession.LibraryError.outOfMemory)
        }
        self.state = state
        httpVersion = configuration.httpVersion
        identity = configuration.identity
        // Not all connections end at once: each has a limit of its own in the last tenth.
        lifetimes = configuration.lifetimeSeconds.map { Int64($0) * 900...Int64($0) * 1_000 }
        self.files = files
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

    /// Sets the options of one request. `isMultiplexed` is whether one connection with the origin carries many hops;
    /// nil before the first response.
    func prepare(_ request: CurlRequest, framing: CurlFraming, isMultiplexed: Bool?) throws(OptionRefused) {
        state.pointee.header_limit = request.headerBytes
        state.pointee.lifetime = lifetimes.map { Int64.random(in: $0) } ?? 0
        try prepareForReuse(request, isMultiplexed: isMultiplexed)
        try set(.url, request.urlText)
        // Only TLS shows before the first response whether a connection can be shared: elsewhere one slow response
        // would hold up all others.
        try set(.pipeWait, request.isSecure ? 1 : 0)
        try setLines(request.lines, and: request.lines(for: framing))
        // The options of the last request are removed first: libcurl would keep some, and with fields to post it would
        // not rewind another body.
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
        case .switched:
            (state.pointee.has_request_body, state.pointee.may_switch) = (true, true)
            try set(.upload, 1)
            try set(.customRequest, request.method.rawValue)
            // Only HTTP/1.1 can switch (RFC 9110, section 7.8). The handle is not used again.
            try set(.httpVersion, 2)
            // Through a proxy by CONNECT, as for https (RFC 6455, section 4.1).
            try set(.proxyTunnel, 1)
            try check(.inFileSize, ccurl_set_offset(state, CurlOption.inFileSize.rawValue, -1))
        }
    }

    /// Decides about a kept connection that turns out to be lost, or that has unexpected bytes to read.
    ///
    /// A connection that is **stale** before anything is sent is closed, and the request is sent on another one,
    /// whatever its method. If a connection is lost **after** the request was sent, the server may have acted: the
    /// request is repeated only if its method is idempotent (RFC 9110, section 9.2.2) and it has no condition, which
    /// a repetition would not meet. Otherwise the hop fails with ``TransportError/Reason/connectionLost``. `reuse.c`
    /// carries out both in libcurl's callback before a request is sent. Without that callback, a request that may not
    /// be repeated gets a new connection.
    private func prepareForReuse(_ request: CurlRequest, isMultiplexed: Bool?) throws(OptionRefused) {
        let mayRepeat = request.mayRepeat
        let mayReuse = mayRepeat || ccurl_has_prereq()
        try set(.freshConnect, isAlone(request) || !mayReuse ? 1 : 0)
        try set(.forbidReuse, isAlone(request) ? 1 : 0)
        state.pointee.may_repeat = mayRepeat
        // Over HTTP/2, bytes before a response are normal.
        state.pointee.expects_silence = httpVersion != .http2 && isMultiplexed == false
        state.pointee.can_rewind = request.body.isReplayable
    }

    private func setLines(_ lines: [UInt8], and more: [String]) throws(OptionRefused) {
        let lines = more.reduce(into: lines) { $0 += Array($1.utf8) + [0] }
        let code = lines.withUnsafeBytes { bytes in
            ccurl_set_lines(state, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
        }
        try check(.httpHeader, code)
    }

    /// Whether a hop must not share its connection, before or after.
    func isAlone(_ request: CurlRequest) -> Bool {
        request.upgrade != nil || httpVersion == .http2 && !request.isSecure && ccurl_quirk_no_h2c_reuse()
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

extension EasyHandle {
    /// The sizes of libcurl's buffers, which are final: a handle may keep its buffers for the next transfer while
    /// others share its connection, and then accepts no other size.
    struct Buffers: Equatable {
        /// Bytes that are received and sent at a time. Allocated for each transfer: from 64 KiB on, freeing them has
        /// glibc trim its whole heap.
        private static let (usual, usualUpload) = (32 << 10, 64 << 10)
        /// The same for long bodies.
        private static let large = 128 << 10

        let received: Int
        let sent: Int

        /// The buffers for a request. `isMultiplexed` is whether one connection with the origin carries many hops; nil
        /// before the first response.
        init(
            for request: CurlRequest,
            _ framing: CurlFraming,
            over version: CurlSession.Configuration.HTTPVersion,
            isMultiplexed: Bool?
        ) {
            let mayBeHTTP2 = version == .http2 || version == .automatic && request.isSecure && isMultiplexed != false
            let head = mayBeHTTP2 && ccurl_quirk_unsplit_heads() ? min(request.headerBytes, 512 << 10) : 0
            received = max(request.isForStream ? Self.large : Self.usual, head)
            if case .body(let length) = framing, length ?? .max >= Self.large {
                sent = Self.large
            } else {
                sent = Self.usualUpload
            }
        }
    }
}
#endif
