#if os(Linux) || os(Android)
import Basics
import CCurl
import Dispatch
import Foundation

/// The transfers of an event loop, for its leader: takes commands, moves bytes, tells the observers.
final class TransferTable {
    /// Handles that are kept for the next hops.
    private static let keptHandles = 64

    private unowned let eventLoop: EventLoop  // whose leader works with it
    private let group: EventLoopGroup
    private let waker: Waker
    private var loop: OpaquePointer
    private var handles: [EasyHandle] = []
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    /// Hops that may begin.
    private var grants: [CurlGrant] = []
    private var hasConnections = false
    /// Since when there has been nothing to do.
    private var idleSince: UInt64?
    /// Whether transfers may share a connection in a library that forgets some of what it has read for them.
    private var maySleepOverBytes = false
    /// Waits in a row in which nothing has come.
    private var quietWaits = 0

    /// nil if there is no memory or no descriptor.
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

    /// Does what there is to do now.
    func work(on commands: [EventLoop.Command]) {
        ccurl_enter()
        if quietWaits > 0 { for transfer in transfers.values { transfer.lookAgain() } }
        for command in commands { carryOut(command) }
        repeat {
            ccurl_loop_perform(loop)
            takeNews()
        } while beginGranted()
        ccurl_leave()
    }

    /// Sees which sockets are ready, without sleeping.
    func look() { _ = ccurl_loop_wait(loop, 0) }

    /// Sleeps until there is something to do. Connections that have been idle for long are closed.
    func sleep() {
        guard transfers.isEmpty, hasConnections else {
            idleSince = nil
            return awaitTransfers()
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

    /// Sleeps until there is something to move: in a library that forgets bytes, for 20 ms at first, and up to a second.
    private func awaitTransfers() {
        let isCertain = !maySleepOverBytes || transfers.isEmpty
        let hasNews = ccurl_loop_wait(loop, isCertain ? .max : min(1_000, 20 << min(quietWaits, 6)))
        quietWaits = hasNews ? 0 : quietWaits + 1
    }

    /// Closes everything.
    func close() {
        ccurl_enter()
        freeHandles()
        ccurl_loop_free(loop)
        ccurl_leave()
    }

    private func takeNews() {
        while let state = ccurl_loop_next_news(loop) {
            if let transfer = Transfer.of(state) { advance(transfer) }
        }
        var code: Int32 = 0
        while let state = ccurl_loop_next_done(loop, &code) {
            guard let transfer = Transfer.of(state) else { continue }
            transfer.verdict = code
            advance(transfer)
        }
    }

    private func freeHandles() {
        for handle in handles { ccurl_transfer_free(handle.state) }
        handles = []
    }

    /// libcurl looks for connections that are too old only when it needs one.
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
            if transfer.handle == nil { send(transfer) } else { advance(transfer) }
        }
    }

    /// Begins hops whose turn has come; says whether there were any.
    private func beginGranted() -> Bool {
        guard !grants.isEmpty else { return false }
        let granted = grants
        grants.removeAll(keepingCapacity: true)
        for grant in granted { begin(grant) }
        return true
    }

    private func begin(_ grant: CurlGrant) {
        guard let (request, observer) = grant.hop.begin(on: eventLoop) else {
            grants += group.leave(grant, on: eventLoop)
            return
        }
        observer.began()
        let transfer = Transfer(grant, request, telling: observer)
        transfers[ObjectIdentifier(grant.hop)] = transfer
        if transfer.upload.needsReading { transfer.upload.start() } else { send(transfer) }
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
            maySleepOverBytes = maySleepOverBytes || mayShare && ccurl_forgets_streams()
            let code = ccurl_loop_start(loop, handle.state)
            if code != 0 { throw EngineFailure(reason: .engine, underlying: CurlError(multi: code)) }
        } catch {
            end(transfer, .failed(error))
        }
    }

    /// A handle with the buffers that a hop needs: one that is kept, or a new one.
    private func takeHandle(for transfer: Transfer, _ framing: CurlFraming) throws(EngineFailure) -> EasyHandle {
        let buffers = EasyHandle.Buffers(
            for: transfer.request,
            framing,
            over: group.configuration.httpVersion,
            isMultiplexed: transfer.grant.isMultiplexed
        )
        if let kept = handles.lastIndex(where: { $0.buffers == buffers }) { return handles.remove(at: kept) }
        return try EasyHandle(on: loop, group.configuration, buffers)
    }

    private func advance(_ transfer: Transfer) {
        let hadHead = transfer.response.hasHead
        let ending = transfer.advance()
        if transfer.response.hasHead, !hadHead { note(transfer) }
        if let ending { end(transfer, ending) }
    }

    /// Tells the limiter whether the connection carries many hops.
    private func note(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        let isMultiplexed = handle.state.pointee.major_version >= 2 && !handle.isAlone(transfer.request)
        guard transfer.grant.isMultiplexed != isMultiplexed else { return }
        grants += group.note(transfer.grant, isMultiplexed: isMultiplexed, on: eventLoop)
    }

    /// Gives the connection back and tells how the hop ended; nil if it was cancelled.
    private func end(_ transfer: Transfer, _ ending: Transfer.Ending?) {
        if ending != nil { transfer.tellTimes() }
        let isAsNew = transfer.leavesHandleAsNew
        if let handle = transfer.releaseHandle() {
            ccurl_loop_stop(loop, handle.state)
            if isAsNew {
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
            let failure = ending.failure.map { group.configuration.blame($0) }
            // A cancel that comes now has nothing to end.
            transfer.task.takeObserver()?.finished(failure)
        }
        if transfer.request.body.isStream {
            // What the stream's maker has captured goes where a user's code may run.
            DispatchQueue.global().async { [request = transfer.request] in withExtendedLifetime(request) {} }
        }
    }
}
#endif
