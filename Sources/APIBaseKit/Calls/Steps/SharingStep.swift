import HTTPTransport

/// Waits for an equal call that is under way, if ``APIBase/sharing`` allows it. The first call starts a separate call,
/// which continues if the first is canceled while others wait.
package struct SharingStep: CallStep {
    private let call: Call

    package init?(_ call: Call) {
        guard call.api.sharing == .safeMethods, call.shared == nil, !call.isStream, call.overrides == nil else {
            return nil
        }
        // An equal call may wait for the place of the attempt that makes this one.
        guard !call.context.locals[HeldPlaces.self].contains(where: \.isHeld) else { return nil }
        self.call = call
    }

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard let key = ShareKey(call, steps: next.identities) else { return try next.reply(to: attempt) }
        return PendingResponse { [call] then in
            call.wait {
                let progress = ProgressReporter(call.api, sending: .none)
                let waiter = SharedCall.Waiter(progress: progress, then: then)
                call.willJoin(key.request)
                let (shared, isNew) = SharedCalls.shared.join(key, as: waiter, number: call.id)
                call.hasJoined(asFirst: isNew)
                if isNew { shared.start(like: call) }
                return .time(CallWait { shared.leave(call.id) })
            }
        }
    }
}
