/// The back-pressure on the sender: two marks of queued bytes, so that the engine's task is not told at each chunk.
struct Pausing {
    /// Queued bytes at which the sender has to wait, and at which it may go on.
    static let highWater = 256 << 10
    static let lowWater = 64 << 10

    let canPause: Bool
    private(set) var isPaused = false
    /// Whether a thread is telling the task.
    private var isTelling = false

    init(canPause: Bool) {
        self.canPause = canPause
    }

    /// Whether the task is not as it should be with so many bytes queued.
    func isDue(queued bytes: Int) -> Bool {
        canPause && (isPaused ? bytes <= Self.lowWater : bytes >= Self.highWater)
    }

    /// The state to set, true for paused; nil if the task is in it already, or if another thread is telling it. That one asks
    /// again.
    mutating func next(queued bytes: Int, continuing: Bool) -> Bool? {
        if isTelling, !continuing { return nil }
        isTelling = isDue(queued: bytes)
        guard isTelling else { return nil }
        isPaused.toggle()
        return isPaused
    }
}
