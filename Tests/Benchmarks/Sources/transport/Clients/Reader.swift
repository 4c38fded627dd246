import APIBaseKit
import Foundation

/// Takes everything, and says at the end whether it was right.
final class Reader<Input, Failure: Error>: Subscriber {
    private var subscription: (any Subscription)?
    private var isRight = false
    private let check: (Input) -> Bool
    private let done: (Bool) -> Void

    /// - Parameters:
    ///   - check: Called with each value; what it says of the last one counts.
    ///   - done: Called at the end.
    init(_ check: @escaping (Input) -> Bool, _ done: @escaping (Bool) -> Void) {
        self.check = check
        self.done = done
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        isRight = check(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        subscription = nil
        if case .failure(let error) = completion {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return done(false)
        }
        done(isRight)
    }
}
