import APIBaseKit

/// The events of a call that a handler has started, for the task that writes the response. They are read as they are sent.
///
/// Unchecked: a sequence that is handed on once, and that only that task reads.
struct EventSequence: AsyncSequence, @unchecked Sendable {
    let events: CallSequence<ServerSentEvent>

    func makeAsyncIterator() -> CallSequence<ServerSentEvent>.AsyncIterator { events.makeAsyncIterator() }
}
