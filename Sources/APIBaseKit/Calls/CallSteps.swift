import HTTPTransport

/// The steps of a call, the outermost first.
///
/// A call passes them from the top, and its response from the bottom. A step is made when the call reaches it, and is
/// `nil` if its feature is switched off. Everything that sends a request again is one of these steps. The last step
/// makes an exchange: one request and its response, with redirects.
enum CallSteps {
    static let all: [@Sendable (Call) -> (any CallStep)?] = [
        SharingStep.init,  // waits for an equal call that is under way
        DeadlineStep.init,  // ends the call at its deadline
        RetryStep.init,  // sends again after a failure
        FirstEventStep.init,  // waits for the first event of a response
        GateStep.init,  // waits for a permit
        BuildStep.init,  // builds and checks the request
        ReplacementStep.init,  // sends another request if the server needs more than the first
        AuthorizeStep.init,  // adds the credentials, and sends again if they are refused
        InterceptStep.init,  // calls the API's `intercept`, and from there the steps of sending
    ]

    /// The steps between an API's ``APIBase/intercept(_:next:)`` and the network.
    static let sending: [@Sendable (Call) -> (any SendingStep)?] = [
        CacheStep.init,  // answers with a stored response, and validates it
        SendStep.init,  // hands the request to a stub or the session
    ]
}

/// A step around the attempts of a call, such as a policy for repeating them.
package protocol CallStep: Sendable {
    /// The response to an attempt: that of the next step, unless this step changes it or answers itself.
    ///
    /// From ``BuildStep`` on it runs with the task locals of the code that started the call.
    ///
    /// - Throws: The error of the attempt.
    func reply(to attempt: Attempt, next: NextStep) throws -> PendingResponse

    /// The time for which attempts are refused; `nil` if they are not.
    var refusal: Duration? { get }

    /// The part of the key by which calls share an exchange; `nil` if the step does not matter.
    var identity: AnyHashable? { get }
}

extension CallStep {
    var refusal: Duration? { nil }
    var identity: AnyHashable? { nil }
}

/// An attempt on its way through the steps.
package struct Attempt: Sendable {
    private static let noRequest = URLRequest(url: URL(fileURLWithPath: "/"))

    /// The number of the attempt, from 1.
    package var number = 1
    /// The request; an empty one until ``BuildStep`` has built it.
    package var request = noRequest
    /// The owner of the request's token, for the cache; `nil` without a token.
    package var tokenIdentity: String?
    /// The account whose answer the request carries, which is for this request only; `nil` without one.
    package var digest: DigestAccount?
}

/// The steps that remain: at first ``CallSteps/all``.
package struct NextStep: Sendable {
    let call: Call
    private(set) var steps = CallSteps.all[...]

    /// The response to an attempt by the remaining steps.
    package func reply(to attempt: Attempt) throws -> PendingResponse {
        var next = self
        while let make = next.steps.popFirst() {
            if let step = make(call) { return try step.reply(to: attempt, next: next) }
        }
        throw RequestError.noValue
    }

    /// Starts the remaining steps, unless the call is over.
    package func start(_ attempt: Attempt, then: @escaping PendingResponse.Receiver) {
        start(then) { try reply(to: attempt) }
    }

    /// Starts the remaining steps with the task locals of the code that started the call.
    package func startInContext(_ attempt: Attempt, then: @escaping PendingResponse.Receiver) {
        start(then) { try call.inAttempt { Result { try reply(to: attempt) } }.get() }
    }

    private func start(_ then: @escaping PendingResponse.Receiver, _ reply: () throws -> PendingResponse) {
        guard call.isRunning else { return }
        let pending: PendingResponse
        do { pending = try reply() } catch { return then(.failure(error)) }
        call.holdingPlace { pending.start(then) }
    }

    /// The longest time for which a step refuses attempts; `nil` if none does.
    var refusal: Duration? { steps.compactMap { $0(call)?.refusal }.max() }

    /// The steps' part of the key by which calls share an exchange.
    package var identities: [AnyHashable] { steps.compactMap { $0(call)?.identity } }
}

/// A response that has not been requested. After `start` it arrives once, unless the call is canceled.
package struct PendingResponse {
    /// Takes the end of an attempt. The response is `nil` if a publisher has finished without one.
    package typealias Receiver = @Sendable (Result<AttemptResponse?, any Error>) -> Void

    let start: (@escaping Receiver) -> Void
}

/// A step between an API's ``APIBase/intercept(_:next:)`` and the network. It makes publishers, since an API may add
/// operators.
package protocol SendingStep: Sendable {
    /// The responses to a request, one exchange for each subscription.
    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher

    /// The part of the key by which calls share an exchange; `nil` if the step does not matter.
    var identity: AnyHashable? { get }
}

extension SendingStep {
    var identity: AnyHashable? { nil }
}

/// The steps of sending that remain: at first ``CallSteps/sending``.
package struct NextSending: Sendable {
    let call: Call
    private(set) var steps = CallSteps.sending[...]

    package func replies(to attempt: Attempt) -> ReplyPublisher {
        var next = self
        while let make = next.steps.popFirst() {
            if let step = make(call) { return step.replies(to: attempt, next: next) }
        }
        return Empty().eraseToAnyPublisher()
    }

    /// The steps' part of the key by which calls share an exchange.
    var identities: [AnyHashable] { steps.compactMap { $0(call)?.identity } }
}
