import APIBaseCore
import APIBaseStreams
import Basics

/// The values of a socket for one loop. Leaving the loop closes the socket.
final class SocketValues<Incoming: Sendable>: ValueSource {
    private let lease: SocketLease<Incoming>
    private var isReader = false
    private var values: ArraySlice<Incoming> = []

    init(_ lease: SocketLease<Incoming>) { self.lease = lease }

    deinit { if isReader { lease.close() } }

    nonisolated(nonsending) func next() async throws -> Incoming? {
        if !isReader {
            guard lease.core.takeReader() else { throw RequestError.bodyAlreadyConsumed }
            isReader = true
        }
        if let value = values.popFirst() { return value }
        values = try await lease.core.next()[...]
        return values.popFirst()
    }
}

/// The values of a socket for one subscriber, which gets as many as it demands.
final class SocketSubscription<Incoming: Sendable>: Subscription, Sendable {
    private struct State {
        var demand = Subscribers.Demand.none
        var task: Task<Void, Never>?
        var isOver = false
        var isReader = false
    }

    private let lease: SocketLease<Incoming>
    private let downstream: UncheckedSendable<AnySubscriber<Incoming, any Error>>
    private let state = Monitor(State())

    init(_ lease: SocketLease<Incoming>, to downstream: AnySubscriber<Incoming, any Error>) {
        self.lease = lease
        // unchecked: only the task calls it
        self.downstream = UncheckedSendable(downstream)
    }

    func request(_ demand: Subscribers.Demand) {
        state.change { state in
            state.demand += demand
            guard state.task == nil, !state.isOver, demand > .none else { return }
            state.task = Task { await self.deliver() }
        }
    }

    func cancel() {
        let (task, isReader) = state.change { state in
            state.isOver = true
            return (state.task, state.isReader)
        }
        task?.cancel()
        if isReader { lease.close() }
    }

    private func deliver() async {
        do {
            guard lease.core.takeReader() else { throw RequestError.bodyAlreadyConsumed }
            state.read { $0.isReader = true }
            var values: ArraySlice<Incoming> = []
            while true {
                try await state.wait { state -> Void? in
                    guard state.demand > .none else { return nil }
                    return state.demand -= .max(1)
                }
                if values.isEmpty { values = try await lease.core.next()[...] }
                guard let value = values.popFirst() else { return complete(.finished) }
                guard !state.read({ $0.isOver }) else { return complete(.finished) }
                let more = downstream.value.receive(value)
                state.change { $0.demand += more }
            }
        } catch {
            complete(.failure(error))
        }
    }

    private func complete(_ completion: Subscribers.Completion<any Error>) {
        let (wasOver, isReader) = state.change { state in
            defer { state.isOver = true }
            return (state.isOver, state.isReader)
        }
        if isReader { lease.close() }
        if !wasOver { downstream.value.receive(completion: completion) }
    }
}

/// Closes a socket that nobody holds any more.
final class SocketLease<Incoming: Sendable>: Sendable {
    let core: SocketCore<Incoming>

    init(_ core: SocketCore<Incoming>) { self.core = core }

    deinit { close() }

    func close() { core.close(SocketClose(code: .normal)) }
}
