import HTTPTransport

/// Waits for an equal call that is under way, where ``APIBase/sharing`` says so. The first one starts the exchange, which is a
/// call of its own: it goes on when the first is cancelled and others wait.
struct SharingStep: CallStep {
    private let call: Call

    init?(_ call: Call) {
        guard call.api.sharing == .safeMethods, call.shared == nil, !call.isStream else { return nil }
        // An equal call may wait for the very place that this one is made in.
        guard !call.context.locals[HeldPlaces.self].contains(where: \.isHeld) else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingReply {
        guard let key = ShareKey(call, steps: next.identities) else { return try next.reply(to: attempt) }
        return PendingReply { [call] then in
            call.wait {
                let progress = ProgressTarget(call.api, sending: .none)
                let member = SharedCall.Member(progress: progress, then: then)
                call.willJoin(key.request)
                let (shared, isNew) = SharedCalls.shared.join(key, as: member, number: call.id)
                call.hasJoined(asFirst: isNew)
                if isNew { shared.start(like: call) }
                return .time(CallWait { shared.leave(call.id) })
            }
        }
    }
}
