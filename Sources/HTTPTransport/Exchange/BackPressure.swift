import Basics

/// Events that wait for demand.
struct EventQueue {
    private var events = Queue<ExchangeRequest.Event>()

    /// The bytes of the body among them.
    private(set) var bytes = 0

    var isEmpty: Bool { events.isEmpty }

    /// Adds an event. A count of sent bytes replaces a count that waits at the end.
    mutating func append(_ event: ExchangeRequest.Event) {
        if case .body(let data) = event { bytes += data.count }
        if case .sent = event, case .sent = events.last { events.removeLast() }
        events.append(event)
    }

    mutating func popFirst() -> ExchangeRequest.Event? {
        let event = events.popFirst()
        if case .body(let data) = event { bytes -= data.count }
        return event
    }
}

/// The pauses of the sender, between two marks of queued bytes, so that the engine's task is not called for each chunk.
struct BackPressure {
    /// Queued bytes at which the sender is paused, and at which it is resumed.
    static let highWater = 256 << 10
    static let lowWater = 64 << 10

    let canPause: Bool
    private(set) var isPaused = false
    /// Whether a thread is changing the task's state.
    private var isChanging = false

    init(canPause: Bool) {
        self.canPause = canPause
    }

    /// Whether the task has to be paused or resumed with this number of queued bytes.
    func isDue(queued bytes: Int) -> Bool {
        canPause && (isPaused ? bytes <= Self.lowWater : bytes >= Self.highWater)
    }

    /// The state to set, true for paused; nil if there is nothing to change, or if another thread is changing it. That
    /// thread asks again, with `continuing`.
    mutating func next(queued bytes: Int, continuing: Bool) -> Bool? {
        if isChanging, !continuing { return nil }
        isChanging = isDue(queued: bytes)
        guard isChanging else { return nil }
        isPaused.toggle()
        return isPaused
    }
}
