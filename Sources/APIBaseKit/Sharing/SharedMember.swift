import Basics
import HTTPTransport

/// One subscriber of a shared call.
final class SharedMember: Sendable {
    private struct State {
        var downstream: ReplyReceiver?
        var call: SharedCall?
        /// Whether this is the call that is sent, which reports its own events.
        var isFirst = false
        /// Whether the subscriber has its subscription, and whether it has asked for the reply.
        var hasBegun = false
        var isReady = false
        var isCancelled = false
        /// The end of the exchange, kept until the subscriber asks for the reply; `nil` if it has not ended.
        var end: End?
    }

    private struct End {
        var reply: CallReply?
        var completion: Subscribers.Completion<any Error>
    }

    let id = CallInfo.nextID()
    let progress: ProgressTarget
    /// Unchecked: the request object is set up before, and only read from here on, as its documentation asks.
    private let object: UncheckedSendable<APIBase>
    private var api: APIBase { object.value }
    private let context: CallerContext
    private let clock: any CallClock
    private let start: Duration
    private let state: Locked<State>

    init(_ api: APIBase, in context: CallerContext, scope: CallScope?, for downstream: ReplyReceiver) {
        object = UncheckedSendable(api)
        self.context = context
        clock = scope?.makeClock() ?? api.makeClock()
        start = clock.now
        progress = ProgressTarget(api, sending: .none)
        state = Locked(State(downstream: downstream))
    }

    /// Waits for that call.
    func join(_ call: SharedCall, isFirst: Bool) {
        state.withLock { ($0.call, $0.isFirst) = (call, isFirst) }
        if !isFirst { api.report(.shared(info(call))) }
    }

    /// The subscriber has its subscription: what has come meanwhile may follow.
    func begin() {
        state.withLock { $0.hasBegun = true }
        deliver()
    }

    /// The exchange has ended.
    func end(_ reply: CallReply?, _ completion: Subscribers.Completion<any Error>) {
        progress.settle {
            self.state.withLock { $0.end = End(reply: reply, completion: completion) }
            self.deliver()
        }
    }

    /// Hands out what has come, once. An error needs no demand.
    private func deliver() {
        let (downstream, isFirst, end) = state.withLock { state -> (ReplyReceiver?, Bool, End?) in
            guard state.hasBegun, state.isReady || state.end?.reply == nil else { return (nil, false, nil) }
            return (state.end == nil ? nil : state.downstream.take(), state.isFirst, state.end)
        }
        guard let downstream, let end else { return }
        if !isFirst { note(end) }
        do {
            if let reply = end.reply { _ = try downstream.receive(reply) }
        } catch {
            return downstream.receive(completion: .failure(error))
        }
        if !state.withLock({ $0.isCancelled }) { downstream.receive(completion: end.completion) }
    }

    private func note(_ end: End) {
        context.recorder?.head.withLock { $0 = end.reply?.head }
        api.lastAttempt.withLock { $0.head = end.reply?.head }
        switch (end.reply, end.completion) {
        case (let reply?, _): api.report(.ended(timings(reply: reply)))
        case (nil, .failure(let error)): api.report(.failed(error, timings(error: error)))
        case (nil, .finished): api.report(.failed(RequestError.noValue, timings(error: RequestError.noValue)))
        }
    }

    private func timings(reply: CallReply? = nil, error: (any Error)? = nil) -> CallTimings {
        let info = info(state.withLock { $0.call })
        let report = CallState.Report(attempt: 1, reply: reply, error: error)
        return CallTimings(call: info, whole: clock.now - start, report: report)
    }

    /// The identification of the call in events: its request is that of the call it has joined.
    private func info(_ call: SharedCall?) -> CallInfo {
        CallInfo(id: id, attempt: 1, api: api, request: call?.key.request.value)
    }
}

extension SharedMember: Subscription {
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.withLock { state in
            state.isReady = true
            return state.call
        }?.ask()
        deliver()
    }

    func cancel() {
        let (downstream, call, isFirst) = state.withLock { state in
            state.isCancelled = true
            return (state.downstream.take(), state.call, state.isFirst)
        }
        guard downstream != nil else { return }
        call?.leave(id)
        if !isFirst { api.report(.failed(CancellationError(), timings(error: CancellationError()))) }
    }
}
