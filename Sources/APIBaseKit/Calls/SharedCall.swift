import Basics
import HTTPTransport

/// One exchange that several equal calls wait for.
final class SharedCall: Sendable {
    /// A call that waits.
    struct Member: Sendable {
        let progress: ProgressTarget
        let then: PendingReply.Receiver
    }

    private struct State {
        /// By the numbers of their calls, which grow.
        var members: [Int: Member] = [:]
        /// The call that is sent; `nil` before it begins and after it has ended.
        var call: Call?
        var isOver = false
    }

    let key: ShareKey
    private let state = Locked(State())

    init(key: ShareKey) { self.key = key }

    /// Adds a call; false if it comes too late.
    func add(_ member: Member, number: Int) -> Bool {
        state.withLock { state in
            if !state.isOver { state.members[number] = member }
            return !state.isOver
        }
    }

    /// Starts the exchange in the way of the first call that waits for it.
    func start(like first: Call) {
        let receiver = ReplyReceiver { event in
            switch event {
            case .subscription: break
            case .reply(let reply): self.end(.success(reply))
            case .completion(.finished): self.end(.success(nil))
            case .completion(.failure(let error)): self.end(.failure(error))
            }
            return .none
        }
        let call = Call(of: first.api, in: first.context, scope: first.scope, sharedBy: self, for: .whole(receiver))
        let isWanted = state.withLock { state in
            if !state.isOver { state.call = call }
            return !state.isOver
        }
        guard isWanted else { return }
        call.request(.max(1))
        call.begin()
    }

    /// A call has lost interest. The last one ends the exchange.
    func leave(_ number: Int) {
        let (member, call, isOver) = state.withLock { state -> (Member?, Call?, Bool) in
            let member = state.members.removeValue(forKey: number)
            guard member != nil, state.members.isEmpty, !state.isOver else { return (member, nil, false) }
            state.isOver = true
            return (member, state.call.take(), true)
        }
        if isOver { SharedCalls.shared.remove(self) }
        call?.cancel()
        withExtendedLifetime(member) {}
    }

    /// Tells all of them how far it is.
    func progressed(_ progress: ExchangeProgress) {
        for member in state.withLock({ Array($0.members.values) }) { member.progress.count(progress) }
    }

    private func end(_ result: Result<CallReply?, any Error>) {
        let members = state.withLock { state in
            defer { (state.isOver, state.members, state.call) = (true, [:], nil) }
            return state.members.sorted { $0.key < $1.key }.map(\.value)
        }
        SharedCalls.shared.remove(self)
        let tell: @Sendable (Member) -> Void = { member in
            member.progress.settle { member.then(result.map { $0.map { AttemptReply(whole: $0) } }) }
        }
        // Each may take its time.
        for member in members.dropFirst() { WorkerPool.run { tell(member) } }
        if let first = members.first { tell(first) }
    }
}

/// The exchanges under way that other calls may wait for.
final class SharedCalls: Sendable {
    static let shared = SharedCalls()

    private let calls = Locked<[ShareKey: SharedCall]>([:])

    /// Joins an equal call, or makes one; true if it is to be started.
    func join(_ key: ShareKey, as member: SharedCall.Member, number: Int) -> (call: SharedCall, isNew: Bool) {
        calls.withLock { calls in
            if let call = calls[key], call.add(member, number: number) { return (call, false) }
            let call = SharedCall(key: key)
            _ = call.add(member, number: number)
            calls[key] = call
            return (call, true)
        }
    }

    /// A call has ended; others that are equal begin anew.
    func remove(_ call: SharedCall) {
        let removed = calls.withLock { calls in calls[call.key] === call ? calls.removeValue(forKey: call.key) : nil }
        withExtendedLifetime(removed) {}
    }
}
