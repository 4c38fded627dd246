import Basics
import HTTPTransport

extension APIBase {
    /// The rule for equal calls that are under way at the same time: ``Sharing/none`` by default.
    public var sharing: Sharing {
        get { features[SharedCalls.self] == nil ? .none : .safeMethods }
        set { features[SharedCalls.self] = newValue == .safeMethods ? .shared : nil }
    }
}

extension SharedCalls: CallFeature {
    static var position: StepPosition { .aroundCall }
    static var runsUserCode: Bool { false }

    func step(in call: Call) -> (any CallStep)? {
        guard call.variant == nil, !call.isStream else { return nil }
        // An equal call may wait for the token that this one gets, or for the place of the attempt that makes this one.
        let locals = call.context.locals
        guard !locals[IsAwaitedByCalls.self], !locals[HeldPermits.self].contains(where: \.isHeld) else { return nil }
        return SharingStep(call: call)
    }
}

/// Waits for an equal call that is under way, if ``APIBase/sharing`` allows it. The first call starts a separate call,
/// which continues if the first is canceled while others wait.
struct SharingStep: CallStep {
    let call: Call

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard let key = ShareKey(call) else { return try next.reply(to: attempt) }
        return PendingResponse { [call] then in
            call.wait {
                let progress = ProgressReporter(call.api, sending: .none)
                let waiter = SharedCall.Waiter(call: call, progress: progress, then: then)
                call.state.withLock { $0.replaceRequest(by: key.request) }
                let (shared, isNew) = SharedCalls.shared.join(key, as: waiter)
                // The separate call reports the events of the first.
                if isNew {
                    call.state.withLock { $0.isReported = true }
                    shared.start(like: call)
                } else {
                    call.emit { .shared($0) }
                }
                return .time(CallWait { shared.leave(call.id) })
            }
        }
    }
}
