/// The schedule for cleaning a folder: at its first use, and then each time that a number of bytes has been written.
struct CleaningSchedule {
    private let interval: Int
    private var written = 0
    private var isFirst = true
    private var isRunning = false

    /// Cleaning after so many bytes.
    init(interval: Int) { self.interval = interval }

    /// So many bytes were written. Whether it is time to clean, which nobody else does now then.
    mutating func begin(writing count: Int) -> Bool {
        written += count
        guard !isRunning, isFirst || written >= interval else { return false }
        written = 0
        isFirst = false
        isRunning = true
        return true
    }

    /// Cleaning has ended.
    mutating func end() { isRunning = false }
}
