#if !canImport(Combine)
import Dispatch
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// A publisher of the response to a request, with its whole body.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher { dataTaskPublisher(for: URLRequest(url: url)) }

    /// A publisher of the response to a request, with its whole body.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// A publisher of the response to a request.
    ///
    /// Each subscriber has its own task, which starts when the subscriber asks for a value and is cancelled when it
    /// cancels. The response is delivered on the queue of the session's completion handlers.
    public struct DataTaskPublisher: Publisher, Sendable {
        /// The body, which may be empty, and the response.
        public typealias Output = (data: Data, response: URLResponse)

        /// The error if there is no response. A status such as 404 is a response.
        public typealias Failure = URLError

        /// The request.
        public let request: URLRequest

        /// The session that sends the request.
        public let session: URLSession

        /// Creates the publisher.
        public init(request: URLRequest, session: URLSession) { (self.request, self.session) = (request, session) }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
            subscriber.receive(subscription: DataTask(self, for: AnySubscriber(subscriber)))
        }
    }
}

/// The subscription of a ``URLSession/DataTaskPublisher``, with its task.
///
/// It uses completion handlers: on Linux, cancelling the asynchronous calls can deadlock (swift-corelibs-foundation,
/// issue 5412).
struct DataTask: Subscription, CustomStringConvertible, Sendable {
    typealias Downstream = AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>

    struct State {
        let publisher: URLSession.DataTaskPublisher
        let downstream: Downstream
        var hasStarted = false
        var task: URLSessionDataTask?
    }

    /// Nil once the stream has ended.
    let state: IdentifiedLock<State?>

    init(_ publisher: URLSession.DataTaskPublisher, for downstream: Downstream) {
        state = IdentifiedLock(State(publisher: publisher, downstream: downstream))
    }

    var combineIdentifier: CombineIdentifier { state.identifier }
    var description: String { "DataTaskPublisher" }

    func request(_ demand: Subscribers.Demand) {
        precondition(demand > .none, "demand must not be zero")
        let publisher: URLSession.DataTaskPublisher? = state.withLock { state in
            guard state?.hasStarted == false else { return nil }
            state?.hasStarted = true
            return state?.publisher
        }
        guard let publisher else { return }
        let task = publisher.session.dataTask(with: publisher.request) { data, response, error in
            complete(data, response, error)
        }
        let isWanted = state.withLock { state in
            state?.task = task
            return state != nil
        }
        // A task that never ran is cancelled as well, so that the session releases it.
        if isWanted { task.resume() } else { Self.cancel(task) }
    }

    func cancel() { if let task = take()?.task { Self.cancel(task) } }

    /// Cancels on a global queue: on Linux `cancel()` waits for the session's queue, and the caller may be on that
    /// queue or hold a lock that it waits for.
    private static func cancel(_ task: URLSessionDataTask) { DispatchQueue.global().async { task.cancel() } }

    private func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        guard let response, error == nil else {
            take()?.downstream.receive(completion: .failure(Self.failure(for: error)))
            return
        }
        let downstream = state.withLock { $0?.downstream }
        _ = downstream?.receive((data: data ?? Data(), response: response))
        // Nil if the subscriber cancelled when it got the value.
        take()?.downstream.receive(completion: .finished)
    }

    private static func failure(for error: (any Error)?) -> URLError {
        guard let error else { return URLError(.badServerResponse) }
        return error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
    }

    private func take() -> State? { state.withLock { $0.take() } }
}
#endif
