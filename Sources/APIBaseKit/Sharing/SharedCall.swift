import Basics
import HTTPTransport

/// One call that has several subscribers.
final class SharedCall: Sendable {
    fileprivate struct State {
        /// By the numbers of their calls, which grow.
        var members: [Int: SharedMember] = [:]
        var upstream: (any Subscription)?
        /// Whether one of them has asked for the reply, and whether it has been asked for.
        var isWanted = false
        var isAsked = false
        var isOver = false
    }

    let key: ShareKey
    private let state: Locked<State>

    init(key: ShareKey, first: SharedMember) {
        self.key = key
        state = Locked(State(members: [first.id: first]))
    }
}

// MARK: Its subscribers

extension SharedCall {
    /// Adds a subscriber; false if it comes too late.
    func add(_ member: SharedMember) -> Bool {
        state.withLock { state in
            if !state.isOver { state.members[member.id] = member }
            return !state.isOver
        }
    }

    /// Starts the exchange, unless it has been cancelled.
    func start(_ api: APIBase, in context: CallerContext, scope: CallScope?) {
        let receiver = ReplyReceiver { event in
            switch event {
            case .subscription(let subscription): self.receive(subscription: subscription)
            case .reply(let reply): self.end(reply, .finished)
            case .completion(let completion): self.end(nil, completion)
            }
            return .none
        }
        let call = Call(of: api, in: context, scope: scope, sharedBy: self, for: .whole(receiver))
        receive(subscription: call)
        if !state.withLock({ $0.isOver }) { call.begin() }
    }

    /// A subscriber wants the reply.
    func ask() {
        state.withLock { state in
            state.isWanted = true
            return state.takeDemand()
        }?.request(.max(1))
    }

    /// A subscriber has lost interest. The last one ends the exchange.
    func leave(_ number: Int) {
        let (member, upstream, isOver) = state.withLock { state -> (SharedMember?, (any Subscription)?, Bool) in
            let member = state.members.removeValue(forKey: number)
            guard member != nil, state.members.isEmpty, !state.isOver else { return (member, nil, false) }
            state.isOver = true
            return (member, state.upstream.take(), true)
        }
        if isOver { SharedCalls.shared.remove(self) }
        upstream?.cancel()
        withExtendedLifetime(member) {}
    }

    /// Tells all of them how far it is.
    func progressed(_ progress: ExchangeProgress) {
        for member in state.withLock({ Array($0.members.values) }) { member.progress.count(progress) }
    }
}

extension SharedCall.State {
    fileprivate mutating func takeDemand() -> (any Subscription)? {
        guard isWanted, !isAsked, let upstream else { return nil }
        isAsked = true
        return upstream
    }
}

// MARK: Its exchange

extension SharedCall {
    private func receive(subscription: any Subscription) {
        let (isOver, asked) = state.withLock { state -> (Bool, (any Subscription)?) in
            if !state.isOver { state.upstream = subscription }
            return (state.isOver, state.takeDemand())
        }
        if isOver { subscription.cancel() }
        asked?.request(.max(1))
    }

    private func end(_ reply: CallReply?, _ completion: Subscribers.Completion<any Error>) {
        let (members, upstream) = state.withLock { state in
            defer { (state.isOver, state.members, state.upstream) = (true, [:], nil) }
            return (state.members.sorted { $0.key < $1.key }.map(\.value), state.upstream)
        }
        SharedCalls.shared.remove(self)
        for member in members.dropFirst() {
            // Each may take its time.
            WorkerPool.run { member.end(reply, completion) }
        }
        members.first?.end(reply, completion)
        // Nothing that follows the reply is wanted.
        upstream?.cancel()
    }
}
