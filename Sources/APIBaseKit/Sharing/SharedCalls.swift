import Basics

/// The calls under way that others may join.
final class SharedCalls: Sendable {
    static let shared = SharedCalls()

    private let calls = Locked<[ShareKey: SharedCall]>([:])

    /// Joins an equal call, or starts one.
    func join(
        _ api: APIBase,
        in context: CallerContext,
        scope: CallScope?,
        key: ShareKey,
        for downstream: ReplyReceiver
    ) {
        let member = SharedMember(api, in: context, scope: scope, for: downstream)
        let (call, isFirst) = calls.withLock { calls -> (SharedCall, Bool) in
            if let call = calls[key], call.add(member) { return (call, false) }
            let call = SharedCall(key: key, first: member)
            calls[key] = call
            return (call, true)
        }
        member.join(call, isFirst: isFirst)
        downstream.receive(subscription: member)
        member.begin()
        if isFirst { call.start(api, in: context, scope: scope) }
    }

    /// A call has ended; others that are equal begin anew.
    func remove(_ call: SharedCall) {
        let removed = calls.withLock { calls in calls[call.key] === call ? calls.removeValue(forKey: call.key) : nil }
        withExtendedLifetime(removed) {}
    }
}
