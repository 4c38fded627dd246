import HTTPTransport

/// One thing that stands around the attempts of a call, such as a policy for repeating them.
protocol CallStep: Sendable {
    /// Says how an attempt gets its reply: from what comes next, unless the step knows better.
    ///
    /// From ``BuildStep`` on it runs with the task locals of where the call was started.
    ///
    /// - Throws: Why it gets none.
    func reply(to attempt: Attempt, next: NextStep) throws -> PendingReply

    /// The time for which attempts are refused now; `nil` if they are not.
    var refusal: Duration? { get }

    /// What has to be equal in calls that share their exchange; `nil` if it does not matter.
    var identity: AnyHashable? { get }
}

extension CallStep {
    var refusal: Duration? { nil }
    var identity: AnyHashable? { nil }
}

/// An attempt at a call on its way through the steps.
struct Attempt: Sendable {
    private static let noRequest = URLRequest(url: URL(fileURLWithPath: "/"))

    /// The number of the attempt, from 1.
    var number = 1
    /// The request; an empty one until ``BuildStep`` has built it.
    var request = noRequest
    /// Whose token the request carries, for the cache; `nil` if it carries none.
    var tokenIdentity: String?
}

/// What comes after a step: at first all of ``CallSteps/all``.
struct NextStep: Sendable {
    let call: Call
    private(set) var steps = CallSteps.all[...]

    /// Says how an attempt gets its reply from here on.
    func reply(to attempt: Attempt) throws -> PendingReply {
        var next = self
        while let make = next.steps.popFirst() {
            if let step = make(call) { return try step.reply(to: attempt, next: next) }
        }
        throw RequestError.noValue
    }

    /// Goes on with an attempt at once, unless the call is over.
    func start(_ attempt: Attempt, then: @escaping PendingReply.Receiver) {
        start(then) { try reply(to: attempt) }
    }

    /// The same with the task locals of where the call was started.
    func startInContext(_ attempt: Attempt, then: @escaping PendingReply.Receiver) {
        start(then) { try call.inAttempt { Result { try reply(to: attempt) } }.get() }
    }

    private func start(_ then: @escaping PendingReply.Receiver, _ reply: () throws -> PendingReply) {
        guard call.isRunning else { return }
        let pending: PendingReply
        do { pending = try reply() } catch { return then(.failure(error)) }
        call.holdingPlace { pending.start(then) }
    }

    /// The longest time for which one of the steps refuses attempts; `nil` if none does.
    var refusal: Duration? { steps.compactMap { $0(call)?.refusal }.max() }

    /// What has to be equal in calls that share their exchange.
    var identities: [AnyHashable] { steps.compactMap { $0(call)?.identity } }
}

/// A reply that has not been asked for. Nothing happens before; then it ends once, unless the call is cancelled.
struct PendingReply {
    /// The end of an attempt; without a reply for a publisher that has ended without one.
    typealias Receiver = @Sendable (Result<AttemptReply?, any Error>) -> Void

    let start: (@escaping Receiver) -> Void
}

/// One thing that stands between an API's ``APIBase/intercept(_:next:)`` and the network. These are publishers, since an API may
/// put operators of its own around them.
protocol SendingStep: Sendable {
    /// The replies to a request, one exchange for each subscription.
    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher

    /// What has to be equal in calls that share their exchange; `nil` if it does not matter.
    var identity: AnyHashable? { get }
}

extension SendingStep {
    var identity: AnyHashable? { nil }
}

/// What comes after a step of sending: at first all of ``CallSteps/sending``.
struct NextSending: Sendable {
    let call: Call
    private(set) var steps = CallSteps.sending[...]

    func replies(to attempt: Attempt) -> ReplyPublisher {
        var next = self
        while let make = next.steps.popFirst() {
            if let step = make(call) { return step.replies(to: attempt, next: next) }
        }
        return Empty().eraseToAnyPublisher()
    }

    /// What has to be equal in calls that share their exchange.
    var identities: [AnyHashable] { steps.compactMap { $0(call)?.identity } }
}
