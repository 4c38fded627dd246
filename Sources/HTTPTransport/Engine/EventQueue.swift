/// Events that have happened and have not been taken.
struct EventQueue {
    private var events: [ExchangeEvent] = []
    private var head = 0

    /// The bytes of the body among them.
    private(set) var bytes = 0

    var isEmpty: Bool { head == events.count }

    /// Adds an event. Of counts of sent bytes, the last one stands for all that nobody has taken.
    mutating func append(_ event: ExchangeEvent) {
        if case .body(let data) = event { bytes += data.count }
        if case .sent = event, !isEmpty, case .sent = events[events.count - 1] {
            events[events.count - 1] = event
        } else {
            events.append(event)
        }
    }

    mutating func popFirst() -> ExchangeEvent? {
        guard head < events.count else { return nil }
        let event = events[head]
        events[head] = .sent(bytes: 0, expected: nil)  // so that taken bytes are freed at once
        head += 1
        if head == events.count || head > 64 {
            events.removeFirst(head)
            head = 0
        }
        if case .body(let data) = event { bytes -= data.count }
        return event
    }

    mutating func removeAll() {
        self = EventQueue()
    }
}
