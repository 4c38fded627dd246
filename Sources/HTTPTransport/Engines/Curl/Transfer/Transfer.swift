#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking

/// One hop (one request on the wire; a redirect starts the next) that has begun. Belongs to the leader of its event
/// loop, the thread that works with libcurl at present.
final class Transfer {
    enum Ending {
        case complete
        case failed(EngineFailure)

        var failure: EngineFailure? {
            if case .failed(let failure) = self { return failure }
            return nil
        }
    }

    var grant: CurlGrant
    let request: CurlRequest
    let observer: any EngineTaskObserver
    private(set) var handle: EasyHandle?
    private(set) var upload: Upload
    private(set) var response: ResponseDecoder
    private var isConnected = false
    private var sentBytes: Int64 = 0
    /// libcurl's result code; nil before the end.
    var resultCode: Int32?

    init(_ grant: CurlGrant, _ request: CurlRequest, observer: any EngineTaskObserver) {
        self.grant = grant
        self.request = request
        self.observer = observer
        let task = grant.hop
        upload = Upload(of: request) { task.resume() }
        response = ResponseDecoder(request)
    }

    var task: CurlTask { grant.hop }

    /// The framing of the request's body, as far as it is known now.
    func framing() -> CurlFraming { upload.framing(request.method) }

    /// Takes a handle, prepares it for the request, and passes on the first part of the body.
    func adopt(_ handle: EasyHandle, framing: CurlFraming) throws(EngineFailure) {
        var handle = handle
        if request.isSecure { try handle.takeFiles() }
        do throws(OptionRefused) {
            try handle.prepare(request, framing: framing, isMultiplexed: grant.isMultiplexed)
        } catch {
            throw error.failure
        }
        self.handle = handle
        handle.state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        if let failure = upload.advance(handle.state) { throw failure }
    }

    /// Whether another request can use the handle. libcurl counts the repeats of all requests of a handle together, and
    /// fails at the sixth (curl/curl, pull request 19066).
    var canReuseHandle: Bool {
        guard resultCode == CurlCode.ok.rawValue, ccurl_has_prereq(), let state = handle?.state else { return false }
        return !state.pointee.was_repeated
    }

    func releaseHandle() -> EasyHandle? {
        handle?.state.pointee.context = nil
        return handle.take()
    }

    /// The transfer that has adopted the handle.
    static func of(_ state: UnsafeMutablePointer<ccurl_transfer>) -> Transfer? {
        state.pointee.context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the hop may connect with an address of these bytes; without bytes, with a Unix domain socket.
    func mayConnect(with bytes: UnsafeRawBufferPointer) -> Bool {
        IPAddress(bytes).map(task.reach.allows) ?? false
    }

    /// Reports everything that has happened to the observer.
    ///
    /// - Returns: The end of the hop; nil if it has not ended.
    func advance() -> Ending? {
        guard let state = handle?.state else { return nil }
        if !isConnected, state.pointee.is_connected {
            isConnected = true
            observer.connected()
        }
        if let failure = upload.advance(state) { return .failed(failure) }
        reportSent(state)
        let isPaused = { self.task.isPaused }
        if let failure = response.advance(state, observer: observer, isPaused: isPaused()) {
            return .failed(failure)
        }
        if let resultCode { return end(resultCode, state) }
        // The response is complete, and the server need not read the rest of the request.
        if response.isWhole(state), upload.isUnfinished(state) { return .complete }
        ccurl_loop_continue(state)
        return nil
    }

    /// Has libcurl process again the bytes it has read: see ``ccurl_quirk_stalled_streams()``.
    func rereadBuffered() {
        if resultCode == nil, let state = handle?.state { ccurl_loop_reread(state) }
    }

    /// The times of the hop; nil if libcurl does not know them.
    var times: EngineTimes? {
        var times = ccurl_times()
        guard let state = handle?.state, ccurl_transfer_times(state, &times) else { return nil }
        return EngineTimes(times, of: state)
    }

    private func reportSent(_ state: UnsafeMutablePointer<ccurl_transfer>) {
        let bytes = state.pointee.feed_total
        guard bytes != sentBytes, request.upgrade == nil else { return }
        sentBytes = bytes
        observer.sent(bytes, expected: upload.length)
    }

    private func end(_ resultCode: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>) -> Ending? {
        guard state.pointee.body.count == 0 else { return nil }  // not all has been read
        let fault = state.pointee.fault
        // A complete response counts even if the connection was lost while the request's body was sent, or if the
        // server then ended the request's stream without an error (RFC 9113, section 8.1).
        let isDone =
            resultCode == CurlCode.ok.rawValue
            || (resultCode == CurlCode.sendError.rawValue || state.endedStream(resultCode)) && response.isWhole(state)
        // A switched connection may end without a byte, which libcurl calls an empty reply.
        let isEmpty = resultCode == CurlCode.gotNothing.rawValue && response.hasHead && state.pointee.may_switch
        // A socket may have failed for want of a descriptor before another one succeeded.
        guard isDone || isEmpty, fault == CCURL_FAULT_NONE || fault == CCURL_FAULT_DESCRIPTORS else {
            return .failed(EngineFailure(resultCode, state, hasHead: response.hasHead))
        }
        return response.shortfall(state).map(Ending.failed) ?? .complete
    }
}

extension EngineTimes {
    fileprivate init(_ times: ccurl_times, of state: UnsafeMutablePointer<ccurl_transfer>) {
        self.init()
        isReused = times.is_reused
        connection = ConnectionInfo(state, address: times.address.map { String(cString: $0) }, port: times.port)
        guard !times.is_reused else { return }
        nameLookup = .microseconds(times.name_lookup)
        connect = .microseconds(max(0, times.connect - times.name_lookup))
        if times.tls > 0 { tls = .microseconds(max(0, times.tls - times.connect)) }
    }
}

extension ConnectionInfo {
    /// libcurl's text is an address, the path of a Unix domain socket, or nothing.
    fileprivate init(_ state: UnsafeMutablePointer<ccurl_transfer>, address: String?, port: Int) {
        let (major, minor) = (state.pointee.major_version, state.pointee.minor_version)
        let expiry = state.pointee.certificate_expiry
        let address = address.flatMap { $0.isEmpty || $0.hasPrefix("/") ? nil : $0 }
        self.init(
            httpVersion: major == 0 ? nil : major == 1 ? "1.\(minor)" : "\(major)",
            tlsVersion: Self.tlsVersion(numbered: Int(state.pointee.tls_version)),
            address: address,
            port: address == nil || port == 0 ? nil : port,
            certificateExpiry: expiry == 0 ? nil : Date(timeIntervalSince1970: TimeInterval(expiry))
        )
    }
}
#endif
