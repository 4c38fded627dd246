import HTTPTransport

extension APIBase {
    /// The rule for equal calls that are under way at the same time: ``Sharing/none`` by default.
    public var sharing: Sharing {
        get { features[SharedCalls.self] == nil ? .none : .safeMethods }
        set { features[SharedCalls.self] = newValue == .safeMethods ? .shared : nil }
    }
}

extension SharedCalls: CallFeature {
    static var place: FeaturePlace { .aroundCall }

    func step(in call: Call, isOfAccount: Bool) -> (any CallStep)? {
        guard call.variant == nil, !call.isStream else { return nil }
        // An equal call may wait for the place of the attempt that makes this one.
        guard !call.context.locals[HeldPlaces.self].contains(where: \.isHeld) else { return nil }
        return SharingStep(call: call)
    }
}

/// Waits for an equal call that is under way, if ``APIBase/sharing`` allows it. The first call starts a separate call,
/// which continues if the first is canceled while others wait.
struct SharingStep: CallStep {
    let call: Call

    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse {
        guard let key = ShareKey(call, steps: next.identities) else { return try next.reply(to: attempt) }
        return PendingResponse { [call] then in
            call.wait {
                let progress = ProgressReporter(call.api, sending: .none)
                let waiter = SharedCall.Waiter(call: call, progress: progress, then: then)
                call.willJoin(key.request)
                let (shared, isNew) = SharedCalls.shared.join(key, as: waiter)
                call.hasJoined(asFirst: isNew)
                if isNew { shared.start(like: call) }
                return .time(CallWait { shared.leave(call.id) })
            }
        }
    }
}
