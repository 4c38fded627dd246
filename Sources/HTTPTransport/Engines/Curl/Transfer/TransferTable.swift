#if os(Linux) || os(Android)
import Basics
import CCurl
import Dispatch
import Foundation

/// The transfers of an event loop, one for each hop (a single request on the wire). The leader, the thread that works
/// with libcurl at present, has them take commands, move bytes, and report to the observers.
final class TransferTable {
    /// The most handles that are kept for the next hops.
    private static let keptHandles = 64

    private unowned let eventLoop: EventLoop  // which owns the table
    private let group: EventLoopGroup
    private let waker: Waker
    private var loop: OpaquePointer
    private var handles: [EasyHandle] = []
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// Hops that may begin.
    private var grants: [CurlGrant] = []
    private var hasConnections = false
    /// The time since which there have been no transfers.
    private var idleSince: UInt64?
    /// Whether transfers may share a connection in a library with ``ccurl_quirk_stalled_streams()``.
    private var mayStall = false
    /// Waits in a row without anything to do.
    private var quietWaits = 0

    /// nil without memory or a descriptor.
    init?(of eventLoop: EventLoop, in group: EventLoopGroup, wokenBy waker: Waker) {
        self.eventLoop = eventLoop
        self.group = group
        self.waker = waker
        guard let loop = Self.makeLoop(group, waker) else { return nil }
        self.loop = loop
    }

    private static func makeLoop(_ group: EventLoopGroup, _ waker: Waker) -> OpaquePointer? {
        ccurl_loop_new(waker.descriptor, max(1, group.configuration.connections))
    }

    /// One round: carries out the commands, and moves the bytes that can be moved.
    func work(on commands: [EventLoop.Command]) {
        ccurl_enter()
        if quietWaits > 0 { for transfer in transfers.values { transfer.rereadBuffered() } }
        for command in commands { carryOut(command) }
        repeat {
            ccurl_loop_perform(loop)
            advanceReady()
        } while beginGranted()
        ccurl_leave()
    }

    /// Finds the sockets that are ready, without sleeping.
    func poll() { _ = ccurl_loop_wait(loop, 0) }

    /// Sleeps until there is something to do. Connections are closed after their idle lifetime.
    func sleep() {
        guard transfers.isEmpty, hasConnections else {
            idleSince = nil
            return waitForTransfers()
        }
        let lifetime = group.configuration.idleConnectionLifetime.nanosecondsRoundedUp
        let now = monotonicNanoseconds()
        let since = idleSince ?? now
        idleSince = since
        _ = ccurl_loop_wait(loop, Int32(clamping: (lifetime - min(now - since, lifetime)) / 1_000_000))
        guard monotonicNanoseconds() - since >= lifetime else { return }
        idleSince = nil
        closeConnections()
    }

    /// Sleeps until there is something to do. Where streams may stall, it sleeps 20 ms at first, and up to a second.
    private func waitForTransfers() {
        let isReliable = !mayStall || transfers.isEmpty
        let hasWork = ccurl_loop_wait(loop, isReliable ? .max : min(1_000, 20 << min(quietWaits, 6)))
        quietWaits = hasWork ? 0 : quietWaits + 1
    }

    func close() {
        ccurl_enter()
        freeHandles()
        ccurl_loop_free(loop)
        ccurl_leave()
    }

    private func advanceReady() {
        while let state = ccurl_loop_next_ready(loop) {
            if let transfer = Transfer.of(state) { advance(transfer) }
        }
        var code: Int32 = 0
        while let state = ccurl_loop_next_done(loop, &code) {
            guard let transfer = Transfer.of(state) else { continue }
            transfer.resultCode = code
            advance(transfer)
        }
    }

    private func freeHandles() {
        for handle in handles { ccurl_transfer_free(handle.state) }
        handles = []
    }

    /// Replaces the loop: libcurl itself closes old connections only when it needs one.
    private func closeConnections() {
        ccurl_enter()
        defer { ccurl_leave() }
        guard let fresh = Self.makeLoop(group, waker) else { return }
        freeHandles()
        ccurl_loop_free(loop)
        loop = fresh
        hasConnections = false
        group.closedConnections(of: eventLoop)
    }
}

// MARK: Hops

extension TransferTable {
    private func carryOut(_ command: EventLoop.Command) {
        switch command {
        case .start(let grant): begin(grant)
        case .cancel(let task):
            if let transfer = transfers[ObjectIdentifier(task)] { end(transfer, nil) }
        case .resume(let task):
            guard let transfer = transfers[ObjectIdentifier(task)] else { return }
            if transfer.handle == nil { connect(transfer) } else { advance(transfer) }
        }
    }

    /// Begins hops whose turn has come. Returns whether there were any.
    private func beginGranted() -> Bool {
        guard !grants.isEmpty else { return false }
        let granted = grants
        grants.removeAll(keepingCapacity: true)
        for grant in granted { begin(grant) }
        return true
    }

    private func begin(_ grant: CurlGrant) {
        if let transfer = transfers[ObjectIdentifier(grant.hop)] {
            transfer.grant = grant
            transfer.observer.began()
            return send(transfer)
        }
        guard let (request, observer) = grant.hop.begin(on: eventLoop) else {  // canceled or ended
            grants += group.leave(grant, on: eventLoop)
            return
        }
        observer.began()
        let transfer = Transfer(grant, request, observer: observer)
        transfers[ObjectIdentifier(grant.hop)] = transfer
        if transfer.upload.needsReading { transfer.upload.start() } else { send(transfer) }
    }

    /// There is something to send: sends it if there is a connection, or else when there is one.
    private func connect(_ transfer: Transfer) {
        if !transfer.grant.hasConnection {
            guard let grant = group.claim(transfer.grant) else { return transfer.observer.waits() }
            transfer.grant = grant
        }
        send(transfer)
    }

    private func send(_ transfer: Transfer) {
        do throws(EngineFailure) {
            let framing = transfer.framing()
            let handle = try takeHandle(for: transfer, framing)
            do throws(EngineFailure) { try transfer.adopt(handle, framing: framing) } catch {
                _ = transfer.releaseHandle()
                ccurl_transfer_free(handle.state)
                throw error
            }
            hasConnections = true
            let mayShare = transfer.request.isSecure || group.configuration.httpVersion == .http2
            mayStall = mayStall || mayShare && ccurl_quirk_stalled_streams()
            let code = ccurl_loop_start(loop, handle.state)
            if code != 0 { throw EngineFailure(reason: .engine, underlying: CurlSession.LibraryError(multi: code)) }
        } catch {
            end(transfer, .failed(error))
        }
    }

    /// A kept handle with the right buffers, or a new one.
    private func takeHandle(for transfer: Transfer, _ framing: CurlFraming) throws(EngineFailure) -> EasyHandle {
        let buffers = EasyHandle.Buffers(
            for: transfer.request,
            framing,
            over: group.configuration.httpVersion,
            isMultiplexed: transfer.grant.isMultiplexed
        )
        if let kept = handles.lastIndex(where: { $0.buffers == buffers }) { return handles.remove(at: kept) }
        return try EasyHandle(on: loop, group.configuration, group.files, buffers)
    }

    private func advance(_ transfer: Transfer) {
        let hadHead = transfer.response.hasHead
        let ending = transfer.advance()
        if transfer.response.hasHead, !hadHead {
            if transfer.request.upgrade == nil {
                recordMultiplexing(of: transfer)
            } else {
                grants += group.detach(&transfer.grant, on: eventLoop)
            }
        }
        if let ending { end(transfer, ending) }
    }

    /// Reports to the limiter whether the connection carries many hops.
    private func recordMultiplexing(of transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        let isMultiplexed = handle.state.pointee.major_version >= 2 && !handle.isAlone(transfer.request)
        guard transfer.grant.isMultiplexed != isMultiplexed else { return }
        grants += group.record(transfer.grant, isMultiplexed: isMultiplexed, on: eventLoop)
    }

    /// Releases the connection and reports the end of the hop; nil if it was canceled.
    private func end(_ transfer: Transfer, _ ending: Transfer.Ending?) {
        let times = ending.flatMap { _ in transfer.times }
        let canReuseHandle = transfer.canReuseHandle
        if let handle = transfer.releaseHandle() {
            ccurl_loop_stop(loop, handle.state)
            if canReuseHandle {
                ccurl_transfer_reset(handle.state)
                handles.append(handle)
            } else {
                ccurl_transfer_free(handle.state)
            }
            if handles.count > Self.keptHandles { ccurl_transfer_free(handles.removeFirst().state) }
        }
        transfer.upload.cancel()
        transfers[ObjectIdentifier(transfer.task)] = nil
        grants += group.leave(transfer.grant, on: eventLoop)
        if let ending {
            let failure = ending.failure.map { group.configuration.attribute($0) }
            transfer.task.takeObserver()?.finished(failure, times: times)
        }
        if transfer.request.body.isStream {
            // The closure that makes the stream is released where a user's code may run.
            DispatchQueue.global().async { [request = transfer.request] in withExtendedLifetime(request) {} }
        }
    }
}
#endif
