/// A call, as often as it is subscribed to.
struct CallPublisher: Publisher {
    typealias Output = APIBase.DataResponseTuple
    typealias Failure = any Error

    let api: APIBase
    let context: CallerContext
    let scope: CallScope?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let subscriber = AnySubscriber(subscriber)
        // An equal call may wait for the very place that this one is made in.
        if context.places.isEmpty, let key = ShareKey(api, in: context, scope: scope) {
            return SharedCalls.shared.join(api, in: context, scope: scope, key: key, for: subscriber)
        }
        let call = Call(of: api, in: context, scope: scope, for: .whole(subscriber))
        subscriber.receive(subscription: call)
        call.begin()
    }
}
