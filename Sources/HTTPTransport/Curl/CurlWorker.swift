#if os(Linux) || os(Android)
import CCurl
import Dispatch
import Foundation

/// What the leading thread of a session works with: takes commands, moves bytes, tells the sinks.
final class CurlWorker {
    /// Handles that are kept for the next exchanges.
    private static let keptHandles = 64

    private unowned let engine: CurlEngine  // which runs it
    private let waker: CurlWaker
    private var loop: OpaquePointer
    private var handles: [CurlTransfer] = []
    private let keepsHandles = ccurl_keeps_transfers()
    private var runs: [ObjectIdentifier: CurlRun] = [:]
    private var turns: CurlTurns
    private var hasConnections = false
    /// Since when there has been nothing to do.
    private var idleSince: UInt64?
    /// Whose subscribers have to be told what has been gathered.
    private var held: [any ExchangeSink] = []

    /// nil if there is no memory or no descriptor.
    init?(_ engine: CurlEngine, wokenBy waker: CurlWaker) {
        self.engine = engine
        self.waker = waker
        turns = CurlTurns(perHost: engine.configuration.connectionsPerHost, total: engine.configuration.connections)
        guard let loop = Self.makeLoop(engine, waker) else { return nil }
        self.loop = loop
    }

    private static func makeLoop(_ engine: CurlEngine, _ waker: CurlWaker) -> OpaquePointer? {
        ccurl_loop_new(waker.descriptor, max(1, engine.configuration.connections))
    }

    /// Does what there is to do now.
    func work() {
        ccurl_enter()
        repeat {
            for command in engine.takeCommands() { carryOut(command) }
            ccurl_loop_perform(loop)
            takeNews()
        } while startWaiting()
        ccurl_leave()
    }

    /// Sleeps until there is something to do. Connections that nobody has needed for long are closed.
    func sleep() {
        guard runs.isEmpty, hasConnections else {
            idleSince = nil
            return ccurl_loop_wait(loop, .max)
        }
        let lifetime = engine.configuration.idleConnectionLifetime.nanosecondsRoundedUp
        let now = monotonicNanoseconds()
        let since = idleSince ?? now
        idleSince = since
        ccurl_loop_wait(loop, Int32(clamping: (lifetime - min(now - since, lifetime)) / 1_000_000))
        guard monotonicNanoseconds() - since >= lifetime else { return }
        idleSince = nil
        dropConnections()
    }

    /// Closes everything.
    func end() {
        ccurl_enter()
        for handle in handles { handle.free() }
        handles = []
        ccurl_loop_free(loop)
        ccurl_leave()
    }

    private func takeNews() {
        while let state = ccurl_loop_next_news(loop) {
            guard let run = Self.run(of: state) else { continue }
            // Of a small response everything is here: one hand-over for all of it.
            run.sink.hold()
            held.append(run.sink)
            advance(run)
        }
        var code: Int32 = 0
        while let state = ccurl_loop_next_done(loop, &code) {
            guard let run = Self.run(of: state) else { continue }
            run.verdict = code
            advance(run)
        }
        for sink in held { sink.release() }
        held.removeAll(keepingCapacity: true)
    }

    private static func run(of state: UnsafeMutablePointer<ccurl_transfer>) -> CurlRun? {
        state.pointee.context.map { Unmanaged<CurlRun>.fromOpaque($0).takeUnretainedValue() }
    }

    /// libcurl looks for connections that are too old only when it needs one.
    private func dropConnections() {
        ccurl_enter()
        defer { ccurl_leave() }
        guard let fresh = Self.makeLoop(engine, waker) else { return }
        for handle in handles { handle.free() }
        handles = []
        ccurl_loop_free(loop)
        loop = fresh
        hasConnections = false
    }
}

// MARK: Exchanges

extension CurlWorker {
    private func carryOut(_ command: CurlEngine.Command) {
        switch command {
        case .start(let exchange):
            guard exchange.sink != nil else { return engine.ended() }
            if let host = turns.enter(exchange) { begin(exchange, host) }
        case .cancel(let exchange):
            if let run = runs[ObjectIdentifier(exchange)] { return end(run, nil) }
            engine.ended(turns.forget(exchange))
        case .resume(let exchange):
            guard let run = runs[ObjectIdentifier(exchange)] else { return }
            if run.transfer == nil { send(run) } else { advance(run) }
        }
    }

    /// Begins what has waited; says whether there was any.
    private func startWaiting() -> Bool {
        var hasStarted = false
        while let (exchange, host) = turns.next() {
            begin(exchange, host)
            hasStarted = true
        }
        return hasStarted
    }

    private func begin(_ exchange: CurlExchange, _ host: CurlHost) {
        guard let sink = exchange.sink else {
            turns.leave(host)
            return engine.ended()
        }
        sink.began()
        let run = CurlRun(exchange, with: host, telling: sink)
        runs[ObjectIdentifier(exchange)] = run
        if run.upload.needsReading { run.upload.start() } else { send(run) }
    }

    private func send(_ run: CurlRun) {
        guard let handle = handles.popLast() ?? CurlTransfer(on: loop, engine.configuration) else {
            return end(run, .failed(EngineFailure(reason: .invalidConfiguration(setting: "configuration"))))
        }
        guard handle.prepare(run.exchange.wire, framing: run.framing(), with: run.host) else {
            handle.free()
            return end(run, .failed(EngineFailure(reason: .engine, underlying: CurlError.outOfMemory)))
        }
        run.adopt(handle)
        if let failure = run.prime() { return end(run, .failed(failure)) }
        hasConnections = true
        let code = ccurl_transfer_start(handle.state)
        if code != 0 { end(run, .failed(EngineFailure(reason: .engine, underlying: CurlError(multi: code)))) }
    }

    private func advance(_ run: CurlRun) {
        let hadHead = run.hasHead
        let ending = run.advance()
        if run.hasHead, !hadHead, let version = run.transfer?.state.pointee.major_version {
            let isMultiplexed = version >= 2 && !isAlone(run)
            if run.host.isMultiplexed != isMultiplexed { turns.note(run.host, isMultiplexed: isMultiplexed) }
        }
        if let ending { end(run, ending) }
    }

    /// Whether the exchange has to have a connection of its own, though over HTTP/2.
    private func isAlone(_ run: CurlRun) -> Bool {
        engine.configuration.httpVersion == .http2 && !run.exchange.wire.isSecure && !ccurl_keeps_plain_http2()
    }

    /// Gives up the turn and tells how it ended; with nil nobody wants to know any more.
    private func end(_ run: CurlRun, _ ending: CurlRun.Ending?) {
        if let handle = run.release() {
            ccurl_transfer_stop(handle.state)
            handle.state.pointee.context = nil
            if keepsHandles, handles.count < Self.keptHandles { handles.append(handle) } else { handle.free() }
        }
        run.upload.cancel()
        runs[ObjectIdentifier(run.exchange)] = nil
        turns.leave(run.host)
        engine.ended()
        if let ending {
            // A cancel that comes now has nobody to reach.
            _ = run.exchange.takeSink()
            run.sink.finished(ending.failure)
        }
        if run.exchange.request.body.isStream {
            // What the stream's maker has captured goes where a user's code may run.
            DispatchQueue.global().async { [exchange = run.exchange] in withExtendedLifetime(exchange) {} }
        }
    }
}
#endif
