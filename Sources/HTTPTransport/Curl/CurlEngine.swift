#if os(Linux) || os(Android)
import CCurl
import Foundation
import Locking

/// Takes commands from any thread and has them done by the one thread that works with libcurl.
final class CurlEngine: ExchangeEngine {
    enum Command {
        case start(CurlExchange)
        case cancel(CurlExchange)
        /// There may be something to go on with: room for what has arrived, or something to send.
        case resume(CurlExchange)
    }

    private struct State {
        var commands: [Command] = []
        var count = 0
        var hasThread = false
        var isSleeping = false
        var isClosed = false
        var closers: [@Sendable () -> Void] = []
    }

    private enum Reaction { case refuse, nothing, wake, startThread }

    let configuration: CurlSession.Configuration
    /// The setting that cannot be used; nil if all can. Found out once, since it means looking at files.
    let problem: String?
    let waker = CurlWaker()
    private let generation = ccurl_generation()
    private let state = Locked(State())

    init(_ configuration: CurlSession.Configuration) {
        self.configuration = configuration
        problem = configuration.problem
    }

    /// Exchanges that have been started and have not ended.
    var count: Int { state.withLock { $0.count } }

    func exchange(_ request: ExchangeRequest) -> any EngineExchange {
        CurlExchange(request, on: self)
    }

    /// Passes on a command; false if there is nobody to carry it out.
    func submit(_ command: Command) -> Bool {
        // The thread is not in a forked process, and who held the lock may not be there either.
        guard ccurl_generation() == generation else { return false }
        let reaction = state.withLock { state -> Reaction in
            if case .start = command {
                guard !state.isClosed else { return .refuse }
                state.count += 1
            } else if !state.hasThread {
                return .refuse  // what the command is about has ended, and the thread with it
            }
            state.commands.append(command)
            guard state.hasThread else {
                state.hasThread = true
                return .startThread
            }
            defer { state.isSleeping = false }
            return state.isSleeping ? .wake : .nothing
        }
        switch reaction {
        case .refuse: return false
        case .nothing: break
        case .wake: waker.wake()
        case .startThread: startThread()
        }
        return true
    }

    /// Refuses new exchanges from now on.
    ///
    /// - Parameter closed: Called when all others have ended and all connections are closed.
    func close(_ closed: @escaping @Sendable () -> Void = {}) {
        guard ccurl_generation() == generation else { return closed() }
        let (isOver, wakes) = state.withLock { state -> (Bool, Bool) in
            state.isClosed = true
            guard state.hasThread else { return (true, false) }
            state.closers.append(closed)
            defer { state.isSleeping = false }
            return (false, state.isSleeping)
        }
        if isOver { closed() }
        if wakes { waker.wake() }
    }

    private func startThread() {
        let thread = Thread { [self] in
            if let worker = CurlWorker(self) {
                worker.run()
            } else {
                giveUp()
            }
        }
        thread.name = "HTTPTransport.curl"
        thread.start()
    }
}

// MARK: The thread's side

extension CurlEngine {
    /// Everything that is to be done.
    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands.removeAll() }
            return state.commands
        }
    }

    /// Says that the thread is about to sleep; false if there is something to do after all.
    func beginSleep() -> Bool {
        state.withLock { state in
            state.isSleeping = state.commands.isEmpty && !(state.isClosed && state.count == 0)
            return state.isSleeping
        }
    }

    func endSleep() {
        state.withLock { $0.isSleeping = false }
    }

    func ended(_ number: Int = 1) {
        state.withLock { $0.count -= number }
    }

    /// Says that the thread ends, if the engine is closed and nothing is left to do.
    func retires() -> Bool {
        state.withLock { state in
            guard state.isClosed, state.count == 0, state.commands.isEmpty else { return false }
            state.hasThread = false
            return true
        }
    }

    /// Tells those who wait for the end.
    func tellClosers() {
        let closers = state.withLock { state in
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer() }
    }

    /// There is not even the memory to begin. What waits fails; the next exchange tries again.
    private func giveUp() {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            state.hasThread = false
            return state.commands
        }
        for case .start(let exchange) in commands {
            ended()
            exchange.takeSink()?.finished(EngineFailure(reason: .engine, underlying: CurlError.outOfMemory))
        }
        tellClosers()
    }
}

/// Wakes the thread from its sleep.
final class CurlWaker: Sendable {
    let descriptor = ccurl_waker_open()

    deinit { ccurl_waker_close(descriptor) }

    func wake() { ccurl_waker_wake(descriptor) }
}
#endif
