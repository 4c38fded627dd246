import APIBaseKit
import Basics

/// A call of any API: whatever status it has, its reply is the value.
final class HTTPCall: APIBase, Request {
    typealias ModelType = DataResponseTuple

    /// Is told of what happens, on whichever thread it does.
    var onEvent: @Sendable (CallEvent) -> Void = { _ in }

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }

    override func report(_ event: CallEvent) { onEvent(event) }
}
