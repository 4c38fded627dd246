#if !canImport(Combine)
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The subscription of a ``URLSession/DataTaskPublisher``: one task.
///
/// It uses completion handlers: on Linux, cancelling what the asynchronous calls wait for can lock up
/// (swift-corelibs-foundation, issue 5412).
struct DataTask: Subscription, CustomStringConvertible, Sendable {
    typealias Downstream = AnySubscriber<URLSession.DataTaskPublisher.Output, URLError>

    struct State {
        let publisher: URLSession.DataTaskPublisher
        let downstream: Downstream
        var hasStarted = false
        var task: URLSessionDataTask?
    }

    /// Nil once the stream is over.
    let state: Guarded<State?>

    init(_ publisher: URLSession.DataTaskPublisher, for downstream: Downstream) {
        state = Guarded(State(publisher: publisher, downstream: downstream))
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
        // A task that never ran is cancelled as well, so that the session lets go of it.
        if isWanted { task.resume() } else { Self.cancel(task) }
    }

    func cancel() { if let task = take()?.task { Self.cancel(task) } }

    /// Cancels on a queue of no importance: on Linux `cancel()` waits for the session's own queue, and whoever cancels
    /// may be on it or be holding what it waits for.
    private static func cancel(_ task: URLSessionDataTask) { DispatchQueue.global().async { task.cancel() } }

    private func complete(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        guard let response, error == nil else {
            take()?.downstream.receive(completion: .failure(Self.failure(for: error)))
            return
        }
        let downstream = state.withLock { $0?.downstream }
        _ = downstream?.receive((data: data ?? Data(), response: response))
        // Nothing, if the value made the subscriber cancel.
        take()?.downstream.receive(completion: .finished)
    }

    private static func failure(for error: (any Error)?) -> URLError {
        guard let error else { return URLError(.badServerResponse) }
        return error as? URLError ?? URLError(.unknown, userInfo: [NSUnderlyingErrorKey: error])
    }

    private func take() -> State? { state.withLock { $0.take() } }
}
#endif
