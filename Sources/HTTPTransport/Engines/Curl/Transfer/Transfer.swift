#if os(Linux) || os(Android)
import CCurl
import Foundation
import FoundationNetworking

/// One hop that has its turn. Belongs to the leader of its event loop.
final class Transfer {
    /// The end of a hop.
    enum Ending {
        case complete
        case failed(EngineFailure)

        var failure: EngineFailure? {
            if case .failed(let failure) = self { return failure }
            return nil
        }
    }

    let grant: CurlGrant
    let request: CurlRequest
    let observer: any EngineTaskObserver
    private(set) var handle: EasyHandle?
    private(set) var upload: Upload
    private(set) var response: ResponseIntake
    private var isConnected = false
    private var sentBytes: Int64 = 0
    /// The result code with which libcurl ended the transfer; nil before.
    var verdict: Int32?

    init(_ grant: CurlGrant, _ request: CurlRequest, telling observer: any EngineTaskObserver) {
        self.grant = grant
        self.request = request
        self.observer = observer
        let task = grant.hop
        upload = Upload(request.body) { task.resume() }
        response = ResponseIntake(request)
    }

    var task: CurlTask { grant.hop }

    /// The framing of the request's body, as far as it is known now.
    func framing() -> CurlFraming { upload.framing(request.method) }

    /// Takes a handle, prepares it for the request and hands over the first of the body.
    func adopt(_ handle: EasyHandle, framing: CurlFraming) throws(EngineFailure) {
        do throws(OptionRefused) {
            try handle.prepare(request, framing: framing, isMultiplexed: grant.isMultiplexed)
        } catch {
            throw error.failure
        }
        self.handle = handle
        handle.state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        if let failure = upload.advance(handle.state) { throw failure }
    }

    /// Whether another request can have the handle. libcurl counts for each handle how often it has repeated a request, goes on to
    /// count with the next request, and fails the sixth time (curl/curl, pull request 19066).
    var leavesHandleAsNew: Bool {
        guard verdict == CurlCode.ok.rawValue, ccurl_says_when_ready(), let state = handle?.state else { return false }
        return !state.pointee.was_repeated
    }

    /// Gives the handle back.
    func releaseHandle() -> EasyHandle? {
        handle?.state.pointee.context = nil
        return handle.take()
    }

    /// The transfer that a handle has been adopted for.
    static func of(_ state: UnsafeMutablePointer<ccurl_transfer>) -> Transfer? {
        state.pointee.context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Passes on everything that has happened; says how the hop is over, once it is.
    ///
    /// - Returns: How the hop is over; nil if it is not.
    func advance() -> Ending? {
        guard let state = handle?.state else { return nil }
        if !isConnected, state.pointee.is_connected {
            isConnected = true
            observer.connected()
        }
        if let failure = upload.advance(state) { return .failed(failure) }
        tellSent(state)
        let isPaused = { self.task.isPaused }
        if let failure = response.advance(state, telling: observer, isPaused: isPaused()) {
            return .failed(failure)
        }
        if let verdict { return end(verdict, state) }
        // The server has said everything, and need not read the rest.
        if response.isWhole(state), upload.isUnfinished(state) { return .complete }
        ccurl_transfer_continue(state)
        return nil
    }

    /// Has libcurl look once more at what it has read: for a while nothing has come.
    func lookAgain() {
        if verdict == nil, let state = handle?.state { ccurl_transfer_look_again(state) }
    }

    /// Tells how long the connection took.
    func tellTimes() {
        var times = ccurl_times()
        guard let state = handle?.state, ccurl_transfer_times(state, &times) else { return }
        observer.measured(EngineTimes(times))
    }

    private func tellSent(_ state: UnsafeMutablePointer<ccurl_transfer>) {
        let bytes = state.pointee.feed_total
        guard bytes != sentBytes else { return }
        sentBytes = bytes
        observer.sent(bytes, expected: upload.length)
    }

    private func end(_ verdict: Int32, _ state: UnsafeMutablePointer<ccurl_transfer>) -> Ending? {
        guard state.pointee.body.count == 0 else { return nil }  // the reader is slower than the sender
        let fault = state.pointee.fault
        // What came whole before the connection was lost under the request's body is the response.
        let isDone =
            verdict == CurlCode.ok.rawValue || verdict == CurlCode.sendError.rawValue && response.isWhole(state)
        // A socket that there was no descriptor for is of no account once another one has served.
        guard isDone, fault == CCURL_FAULT_NONE || fault == CCURL_FAULT_DESCRIPTORS else {
            return .failed(EngineFailure(verdict, state, hasHead: response.hasHead))
        }
        return response.shortfall(state).map(Ending.failed) ?? .complete
    }
}

extension EngineTimes {
    fileprivate init(_ times: ccurl_times) {
        self.init()
        isReused = times.is_reused
        guard !times.is_reused else { return }
        nameLookup = .microseconds(times.name_lookup)
        connect = .microseconds(max(0, times.connect - times.name_lookup))
        if times.tls > 0 { tls = .microseconds(max(0, times.tls - times.connect)) }
    }
}
#endif
