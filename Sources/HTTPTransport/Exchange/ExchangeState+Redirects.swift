import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A redirect that the policy follows, until the caller has decided about it.
struct RedirectQuestion {
    enum Stage {
        case open
        /// The caller is being asked, outside the lock. Events wait.
        case asked
        /// The redirect is the response. A reader by events gets its head next.
        case refused(isHeadNext: Bool)
    }

    let next: ExchangeRequest
    let head: ResponseHead
    var stage = Stage.open
}

// The caller may run a user's code, so it is asked by the delivery, between two events.

extension ExchangeState {
    /// The decision about a head.
    func decision(on head: ResponseHead) -> RedirectPolicy.Decision {
        if case .refused = question?.stage { return .respond }
        return RedirectPolicy.decide(request, head, followed: followed)
    }

    /// Whether events wait for an answer.
    var isAsking: Bool {
        switch question?.stage {
        case .open, .asked: true
        case .refused, nil: false
        }
    }

    /// Follows a redirect, or asks the caller first.
    mutating func redirect(to next: ExchangeRequest, _ head: ResponseHead, at now: UInt64) -> Action {
        guard request.caller != nil else { return follow(next, head, at: now) }
        question = RedirectQuestion(next: next, head: head)
        return Action(task: task, delivers: beginDelivery())
    }

    mutating func nextQuestion() -> Step? {
        guard reading != nil, let caller = request.caller, let question, case .open = question.stage else { return nil }
        self.question?.stage = .asked
        return .ask(caller, question.next, question.head)
    }

    /// Takes the answer of the caller.
    mutating func answered(_ answer: URLRequest?, at now: UInt64) -> Action {
        guard let reading, let question, case .asked = question.stage else { return Action() }
        switch RedirectPolicy.decide(request, changing: question.next, to: answer) {
        case .follow(let next):
            self.question = nil
            return follow(next, question.head, at: now)
        case .refuse(let reason):
            self.question = nil
            return stop(.redirect, reason, at: now)
        case .malformed(let error):
            self.question = nil
            return stop(.redirect, .malformedResponse, underlying: error, at: now)
        case .respond:
            let isWhole = reading.pieces == nil
            self.question?.stage = .refused(isHeadNext: !isWhole)
            return isWhole ? collectWaiting(after: question.head, at: now) : Action()
        }
    }

    /// The next event for a reader by events.
    mutating func nextUnread() -> ExchangeRequest.Event? {
        guard let question, case .refused(isHeadNext: true) = question.stage else { return events.popFirst() }
        self.question?.stage = .refused(isHeadNext: false)
        return .head(question.head)
    }

    /// Collects a head, and the events that have waited for the answer.
    private mutating func collectWaiting(after head: ResponseHead, at now: UInt64) -> Action {
        var action = collect(.head(head), at: now)
        while let event = events.popFirst() {
            let owner = action.owner
            action = collect(event, at: now)
            action.owner = owner
        }
        action.regulates = backPressure.isDue(queued: 0)
        return action
    }
}
