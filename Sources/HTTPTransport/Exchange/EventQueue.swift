import Basics

/// Events that have happened and have not been taken.
struct EventQueue {
    private var events = Queue<ExchangeEvent>()

    /// The bytes of the body among them.
    private(set) var bytes = 0

    var isEmpty: Bool { events.isEmpty }

    /// Adds an event. Of counts of sent bytes, the last one stands for all that nobody has taken.
    mutating func append(_ event: ExchangeEvent) {
        if case .body(let data) = event { bytes += data.count }
        if case .sent = event, case .sent = events.last { events.removeLast() }
        events.append(event)
    }

    mutating func popFirst() -> ExchangeEvent? {
        let event = events.popFirst()
        if case .body(let data) = event { bytes -= data.count }
        return event
    }

    mutating func removeAll() {
        self = EventQueue()
    }
}
