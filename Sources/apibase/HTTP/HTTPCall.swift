import APIBaseKit

/// A call of any API: whatever status it has, its reply is the value.
final class HTTPCall: APIBase, PagedRequest {
    typealias ModelType = DataResponseTuple

    /// Is told of what happens, on whichever thread it does.
    var onEvent: @Sendable (CallEvent) -> Void = { _ in }

    /// The status codes that are accepted for a stream.
    var accepted = 200..<300

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }

    override func accepts(_ response: HTTPURLResponse) -> Bool { accepted.contains(response.statusCode) }

    override func report(_ event: CallEvent) { onEvent(event) }
}
