import Dispatch

/// Whether the condition comes to hold; for what nobody reports.
func settles(_ limit: Duration = .seconds(20), _ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return true
}

/// Whether somebody signals in time.
func passes(_ semaphore: DispatchSemaphore) async -> Bool {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "wait").async {
            continuation.resume(returning: semaphore.wait(timeout: .now() + 20) == .success)
        }
    }
}
