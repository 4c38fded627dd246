/// Polls until `condition` holds or two minutes are over, for counts without events.
func holds(_ condition: @Sendable () -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
