import APIBaseCore
import Basics

/// The connections of a socket, one after another, and what waits between them and the program.
///
/// One task reads ahead until ``mostWaiting`` bytes wait for the program, so that pings are answered while that does
/// something else; then the server is held.
final class SocketCore<Incoming: Sendable>: Sendable {
    private struct State {
        var channel: (any SocketChannel)?
        /// The messages that have arrived together, and their bytes.
        var inbox = Queue<(values: [Incoming], size: Int)>()
        var waiting = 0
        var hasReader = false
        /// The messages that have been sent since the last answer to a ping, where connections follow one another.
        var unconfirmed: [any Sendable] = []
        /// The messages that have been sent, and those that are known to have arrived.
        var (sent, confirmed) = (0, 0)
        var (lastPing, lastAnswer) = (0, 0)
        /// The number of times that messages, or parts of one, have arrived.
        var arrivals = 0
        var closing: SocketClose?
        /// Whether what arrives is dropped: nobody need read it after a close on this side.
        var dropsRest = false
        /// The end of the socket.
        var end: Result<SocketClose, any Error>?
    }

    /// The bytes that wait for the program before the server is held.
    private static var mostWaiting: Int { 256 << 10 }
    /// The count of each message beside its bytes, so that empty ones hold the server too.
    private static var overhead: Int { 64 }
    /// The messages that may be sent without a sign that they have arrived.
    private static var mostUnconfirmed: Int { 1_024 }
    /// The time for the server to answer a close, and to end the connection afterwards.
    private static var closingTime: Duration { .seconds(5) }

    private let connector: SocketConnector<Incoming>
    private let state = Monitor(State())

    init(_ connector: SocketConnector<Incoming>) { self.connector = connector }

    /// The subprotocol of the connection.
    var subprotocol: String? { state.read { $0.channel?.subprotocol } }
}

// MARK: For the program

extension SocketCore {
    /// Takes the right to read, which only one reader has.
    func takeReader() -> Bool {
        state.read { state in
            defer { state.hasReader = true }
            return !state.hasReader
        }
    }

    /// The next values that have arrived together, so that not each of them takes the lock; none once the socket has
    /// been closed as done.
    func next() async throws -> [Incoming] {
        let (values, hasRoom) = try await state.wait { state -> ([Incoming], Bool)? in
            if let (values, size) = state.inbox.popFirst() {
                let wasFull = state.waiting >= Self.mostWaiting
                state.waiting -= size
                return (values, wasFull && state.waiting < Self.mostWaiting)
            }
            if case .failure(let error) = state.end { throw error }
            return state.end == nil ? nil : ([], false)
        }
        if hasRoom { state.change { _ in } }
        return values
    }

    /// Sends a message on this connection, or on the next one if there is none.
    func send(_ message: SocketMessage, of value: any Sendable) async throws {
        let channel = try await state.wait { state -> (any SocketChannel)? in
            if case .failure(let error) = state.end { throw error }
            guard state.end == nil, state.closing == nil else { throw SocketFailure.notOpen }
            state.channel.map { self.send(message, of: value, on: $0, &state) }
            return state.channel
        }
        try await channel.room()
        guard state.read({ $0.unconfirmed.count >= Self.mostUnconfirmed }) else { return }
        try await confirm(on: channel)
    }

    /// Under the lock, so that what is kept has the order in which it is sent.
    private func send(
        _ message: SocketMessage,
        of value: any Sendable,
        on channel: any SocketChannel,
        _ state: inout State
    ) {
        state.sent += 1
        if connector.reconnects { state.unconfirmed.append(value) }
        connector.note([message], areSent: true)
        channel.send(message)
    }

    /// Begins to close. Does nothing the second time.
    func close(_ close: SocketClose) { state.change { $0.closing = $0.closing ?? close } }
}

// MARK: Connections

extension SocketCore {
    /// Makes the first connection, and starts the task that works for the socket.
    func begin() async throws {
        let channel = try await connector.first()
        try open(channel, with: [])
        Task { await self.work(on: channel) }
    }

    /// Sends what the program sends first, before anything that waits for the connection.
    private func open(_ channel: any SocketChannel, with unconfirmed: [any Sendable]) throws {
        let greeting: [SocketConnector<Incoming>.Greeting]
        do { greeting = try connector.greeting(unconfirmed) } catch {
            giveUp(channel)
            throw error
        }
        state.change { state in
            state.channel = channel
            for (message, value) in greeting { send(message, of: value, on: channel, &state) }
        }
    }

    private func work(on first: any SocketChannel) async {
        var channel = first
        while true {
            let result = await serve(channel)
            giveUp(channel)
            let unconfirmed = state.change { state in
                defer { (state.channel, state.unconfirmed, state.confirmed) = (nil, [], state.sent) }
                return state.unconfirmed
            }
            do {
                guard let next = try await reconnect(after: result) else { return finish(result) }
                channel = next
                try open(next, with: unconfirmed)
            } catch {
                return finish(.failure(error))
            }
        }
    }

    /// The connection that follows one which has ended so; nil if none shall, or when the program closes the socket.
    private func reconnect(after result: Result<SocketClose, any Error>) async throws -> (any SocketChannel)? {
        guard state.read({ $0.closing == nil }) else { return nil }
        return try await withThrowingTaskGroup(of: (any SocketChannel)?.self) { group in
            group.addTask {
                _ = try await self.state.wait { $0.closing }
                return nil
            }
            group.addTask { try await self.connector.next(after: result) }
            let first = try await group.next() ?? nil
            group.cancelAll()
            // A connection that was made at the moment of the close.
            while let late = try? await group.next() { late.map(giveUp) }
            return first
        }
    }

    /// Gives up a connection, with a close unless one has been sent. The server may still end it then.
    private func giveUp(_ channel: any SocketChannel) {
        channel.close(SocketClose(code: .goingAway))
        Task { [connector] in
            await connector.within(Self.closingTime) { await channel.drain() }
            channel.cancel(with: CancellationError())
        }
    }

    /// After a close on this side, any end of the server is the wanted one.
    private func finish(_ result: Result<SocketClose, any Error>) {
        state.change { state in
            if case .failure(SocketFailure.unanswered) = result { return state.end = result }
            state.end = state.closing.map { .success($0) } ?? result.endOfSocket
        }
    }

    /// Works on a connection until its end.
    private func serve(_ channel: any SocketChannel) async -> Result<SocketClose, any Error> {
        await withTaskGroup(of: Result<SocketClose, any Error>?.self) { group in
            group.addTask { await self.receive(on: channel) }
            group.addTask { await self.ping(channel) }
            group.addTask { await self.closeWhenAsked(channel) }
            defer { group.cancelAll() }
            for await result in group { if let result { return result } }
            return .failure(SocketFailure.lost)
        }
    }

    private func receive(on channel: any SocketChannel) async -> Result<SocketClose, any Error> {
        do {
            while true {
                let arrivals = try await channel.receive()
                if arrivals.hasPart || !arrivals.messages.isEmpty { state.read { $0.arrivals += 1 } }
                try take(arrivals.messages)
                if let close = arrivals.close { return .success(close) }
                try await state.wait { $0.waiting < Self.mostWaiting || $0.closing != nil ? () : nil }
            }
        } catch {
            return .failure(error)
        }
    }

    /// Takes messages in one change, so that tasks wake once for all of them.
    private func take(_ messages: [SocketMessage]) throws {
        guard !messages.isEmpty else { return }
        connector.note(messages, areSent: false)
        var (values, size) = ([Incoming](), 0)
        defer {
            connector.haveArrived(values)
            if !values.isEmpty { add(values, size) }
        }
        for message in messages {
            guard let value = try connector.hooks.decode(message) else { continue }
            values.append(value)
            size += message.size + Self.overhead
        }
    }

    private func add(_ values: [Incoming], _ size: Int) {
        state.change { state in
            if state.closing != nil, state.waiting >= Self.mostWaiting { state.dropsRest = true }
            guard !state.dropsRest else { return }
            state.inbox.append((values, size))
            state.waiting += size
        }
    }

    /// Closes when the program wants it to, and waits for the answer as long as what was sent before is still leaving.
    private func closeWhenAsked(_ channel: any SocketChannel) async -> Result<SocketClose, any Error>? {
        guard let closing = try? await state.wait(for: { $0.closing }) else { return nil }
        channel.close(closing)
        var unsent: Int
        repeat {
            unsent = channel.unsent
            await connector.sleep(for: Self.closingTime)
        } while channel.unsent < unsent && !Task.isCancelled
        return .failure(SocketFailure.unanswered(Self.closingTime))
    }
}

// MARK: Signs of life

extension SocketCore {
    /// Asks for signs of life; the failure if there is none.
    private func ping(_ channel: any SocketChannel) async -> Result<SocketClose, any Error>? {
        guard let pings = connector.pings else { return nil }
        while true {
            await connector.sleep(for: pings.interval)
            guard !Task.isCancelled else { return nil }
            let (arrivals, wasHeld) = state.read { ($0.arrivals, $0.waiting >= Self.mostWaiting) }
            let unsent = channel.unsent
            let isAnswered = await connector.within(pings.deadline) { try? await self.confirm(on: channel) }
            // A part of a message is a sign of life as well, in both directions, and the answer may come after much that
            // is not read.
            let isAlive = state.read { $0.arrivals != arrivals } || wasHeld || channel.unsent < unsent
            if !isAnswered, !isAlive { return .failure(SocketFailure.silent(pings.deadline)) }
        }
    }

    /// Waits for the answer to a ping: what was sent before it has arrived. It does not wait for an answer that is held
    /// with what the program does not read.
    private func confirm(on channel: any SocketChannel) async throws {
        let (number, sent) = state.read { state in
            state.lastPing += 1
            return (state.lastPing, state.sent)
        }
        channel.ping { [state, weak channel] in
            state.change { state in
                guard let channel, state.channel === channel else { return }
                state.lastAnswer = max(state.lastAnswer, number)
                guard sent > state.confirmed else { return }
                state.unconfirmed.removeFirst(min(sent - state.confirmed, state.unconfirmed.count))
                state.confirmed = sent
            }
        }
        try await state.wait { state in
            let isHeld = state.waiting >= Self.mostWaiting
            return state.lastAnswer >= number || state.channel !== channel || isHeld ? () : nil
        }
    }
}

extension Result<SocketClose, any Error> {
    /// The end for the program: a close with another code than that of a socket that is done is a failure.
    fileprivate var endOfSocket: Self {
        guard case .success(let close) = self, close.code != .normal, close.code != .noStatus else { return self }
        return .failure(SocketFailure.closed(close))
    }
}
