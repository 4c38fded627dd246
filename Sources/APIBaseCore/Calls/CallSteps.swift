import HTTPTransport

/// The steps of a call, the outermost first.
///
/// A call passes them from the top, and its response from the bottom. A step is made when the call reaches it, and is
/// `nil` if it has nothing to do. Everything that sends a request again is one of these steps. The last step makes an
/// exchange: one request and its response, with redirects.
enum CallSteps {
    typealias Maker = @Sendable (Call) -> (any CallStep)?
    typealias SendingMaker = @Sendable (Call) -> (any SendingStep)?
    typealias Lists = (call: [Maker], sending: [SendingMaker])

    /// The steps of a call with these features.
    static func with(_ features: CallFeatures) -> Lists { features.list.isEmpty ? plain : lists(features) }

    private static let plain = lists(CallFeatures())

    private static func lists(_ features: CallFeatures) -> Lists {
        func steps(_ position: StepPosition) -> [Maker] {
            features.at(position).map { feature in { feature.step(in: $0) } }
        }
        let call: [Maker] =
            [
                DeadlineStep.ofScope  // ends the call at the deadline of its scope
            ] + steps(.aroundCall)
            + [
                DeadlineStep.ofCall,  // ends the call at its deadline
                RetryStep.init,  // sends again after a failure
                { $0.variant?.step(in: $0) },  // belongs to a variant, such as to wait for an event
            ] + steps(.aroundAttempt)
            + [
                BuildStep.init  // builds and checks the request
            ] + steps(.aroundRequest)
            + [
                AuthorizeStep.init,  // adds the credentials, and sends again if they are refused
                WatchStep.init,  // shows each request to the watchers, which may add headers
                InterceptStep.init,  // calls the API's `intercept`, and from there the steps of sending
            ]
        let sending: [SendingMaker] =
            [.aroundExchange, .aroundSending].flatMap(features.at).map { feature in { feature.sendingStep(in: $0) } }
            + [
                { SendStep(call: $0) }  // hands the request to a stub or the session
            ]
        return (call, sending)
    }
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
}

extension CallStep {
    package var refusal: Duration? { nil }
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
    /// The scheme that has signed the request, whose signature is for this request only; `nil` without one.
    package var signer: (any RequestSigner)?
    /// Whether it may be sent twice. The step that sends it then calls ``Call/received(_:)`` for the copy that counts.
    package var isCopied = false
}

/// The steps that remain: at first those of the call.
package struct NextStep: Sendable {
    let call: Call
    private var steps: ArraySlice<CallSteps.Maker>

    init(call: Call) { (self.call, steps) = (call, call.steps.call[...]) }

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
        start(then) { try call.inContext { Result { try reply(to: attempt) } }.get() }
    }

    private func start(_ then: @escaping PendingResponse.Receiver, _ reply: () throws -> PendingResponse) {
        guard call.isRunning else { return }
        let pending: PendingResponse
        do { pending = try reply() } catch { return then(.failure(error)) }
        call.withHeldPermits { pending.start(then) }
    }

    /// The longest time for which a step refuses attempts; `nil` if none does.
    var refusal: Duration? { steps.compactMap { $0(call)?.refusal }.max() }
}

/// A response that has not been requested. After `start` it arrives once, unless the call is canceled.
package struct PendingResponse {
    /// Takes the end of an attempt. The response is `nil` if a publisher has finished without one.
    package typealias Receiver = @Sendable (Result<AttemptResponse?, any Error>) -> Void

    let start: (@escaping Receiver) -> Void

    package init(start: @escaping (@escaping Receiver) -> Void) { self.start = start }
}

/// A step between an API's ``APIBase/intercept(_:next:)`` and the network. It makes publishers, since an API may add
/// operators.
package protocol SendingStep: Sendable {
    /// The responses to a request, one exchange for each subscription.
    func replies(to attempt: Attempt, next: NextSending) -> ReplyPublisher
}

/// The steps of sending that remain: at first those of the call.
package struct NextSending: Sendable {
    let call: Call
    private var steps: ArraySlice<CallSteps.SendingMaker>

    init(call: Call) { (self.call, steps) = (call, call.steps.sending[...]) }

    package func replies(to attempt: Attempt) -> ReplyPublisher {
        var next = self
        while let make = next.steps.popFirst() {
            if let step = make(call) { return step.replies(to: attempt, next: next) }
        }
        return Empty().eraseToAnyPublisher()
    }
}
