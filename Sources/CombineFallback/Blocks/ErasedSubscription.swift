/// A subscription that hides the type of the one it stands for in a closure.
///
/// The closure is compiled for the type it hides. A generic type behind `any Subscription` would be called by way of
/// code that looks its types up anew at every call.
@usableFromInline struct ErasedSubscription: Subscription, CustomStringConvertible {
    @usableFromInline enum Message {
        case request(Subscribers.Demand)
        case cancel
        case introduce(Introduction)
    }

    @usableFromInline let send: (Message) -> Void

    @inlinable init(send: @escaping (Message) -> Void) { self.send = send }

    @inlinable init<S: Subscription>(_ subscription: S) {
        send = { message in
            switch message {
            case .request(let demand): subscription.request(demand)
            case .cancel: subscription.cancel()
            case .introduce(let introduction): introduction.take(subscription)
            }
        }
    }

    @usableFromInline func request(_ demand: Subscribers.Demand) { send(.request(demand)) }

    @usableFromInline func cancel() { send(.cancel) }

    @usableFromInline var combineIdentifier: CombineIdentifier { introduction.identifier }
    @usableFromInline var description: String { introduction.description }

    private var introduction: Introduction { Introduction { send(.introduce($0)) } }
}

/// The identifier and the description of a hidden subscriber or subscription.
@usableFromInline final class Introduction {
    var identifier = CombineIdentifier()
    var description = ""

    /// Asks whoever hides it for both.
    init(_ ask: (Introduction) -> Void) { ask(self) }

    @usableFromInline func take<Hidden: CustomCombineIdentifierConvertible>(_ hidden: Hidden) {
        identifier = hidden.combineIdentifier
        description = String(describing: hidden)
    }
}
