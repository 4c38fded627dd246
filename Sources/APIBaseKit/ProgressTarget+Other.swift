#if !canImport(Darwin)
extension ProgressTarget {
    /// Runs the change at once, on the thread the reply is delivered on: a service need not run a main loop.
    func publish(_ change: @Sendable (APIBase) -> Void) {
        api.map(change)
    }
}
#endif
