/// A call, as often as it is subscribed to.
struct CallPublisher: Publisher {
    typealias Output = APIBase.DataResponseTuple
    typealias Failure = any Error

    let api: APIBase
    let context: CallerContext
    let scope: CallScope?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let call = Call(of: api, in: context, scope: scope, for: subscriber)
        subscriber.receive(subscription: call)
        call.begin()
    }
}
