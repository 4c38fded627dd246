/// A subscription that hides the type of another in a closure.
///
/// The closure is compiled for the type it hides. A call of a generic type through `any Subscription` would look up its
/// types each time.
@usableFromInline struct ErasedSubscription: Subscription, CustomStringConvertible {
    @usableFromInline enum Message {
        case request(Subscribers.Demand)
        case cancel
        case identify(ErasedIdentity)
    }

    @usableFromInline let send: (Message) -> Void

    @inlinable init(send: @escaping (Message) -> Void) { self.send = send }

    @inlinable init<S: Subscription>(_ subscription: S) {
        send = { message in
            switch message {
            case .request(let demand): subscription.request(demand)
            case .cancel: subscription.cancel()
            case .identify(let identity): identity.copy(from: subscription)
            }
        }
    }

    @usableFromInline func request(_ demand: Subscribers.Demand) { send(.request(demand)) }

    @usableFromInline func cancel() { send(.cancel) }

    @usableFromInline var combineIdentifier: CombineIdentifier { identity.identifier }
    @usableFromInline var description: String { identity.description }

    private var identity: ErasedIdentity { ErasedIdentity { send(.identify($0)) } }
}

/// The identifier and the description of a hidden subscriber or subscription.
@usableFromInline final class ErasedIdentity {
    var identifier = CombineIdentifier()
    var description = ""

    /// Creates the identity that `fill` sets.
    init(_ fill: (ErasedIdentity) -> Void) { fill(self) }

    @usableFromInline func copy<Hidden: CustomCombineIdentifierConvertible>(from hidden: Hidden) {
        identifier = hidden.combineIdentifier
        description = String(describing: hidden)
    }
}
