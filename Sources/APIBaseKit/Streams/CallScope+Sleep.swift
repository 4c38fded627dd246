extension CallScope {
    /// Waits on the clock of the scope: real time, or that of stubs. For polling and other waits between calls, which
    /// then take no time in tests.
    ///
    /// ```swift
    /// while try await ExportRequest(id: id).value().isRunning { try await CallScope.sleep(for: .seconds(2)) }
    /// ```
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    nonisolated(nonsending) public static func sleep(for duration: Duration) async throws {
        let scope = here
        scope.noteWait(for: .sleep, of: duration)
        let pause = CallSequence((scope.makeClock() ?? WallClock.shared).pause(min(duration, .longest)))
        var iterator = pause.makeAsyncIterator()
        _ = try await iterator.next(isolation: #isolation)
    }
}
