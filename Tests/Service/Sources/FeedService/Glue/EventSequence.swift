import APIBaseKit

/// The events of a call that a handler has started, for the task that writes the response. They are read as they are sent.
///
/// Unchecked: a publisher that is handed on once, and that only that task reads.
struct EventSequence: AsyncSequence, @unchecked Sendable {
    let events: AnyPublisher<ServerSentEvent, any Error>

    func makeAsyncIterator() -> AsyncThrowingPublisher<AnyPublisher<ServerSentEvent, any Error>>.Iterator {
        events.values.makeAsyncIterator()
    }
}
