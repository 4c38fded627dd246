#if canImport(Darwin)
extension ProgressTarget {
    /// Runs the change on the main queue, where SwiftUI wants the changes of an observed object.
    func publish(_ change: @escaping @Sendable (APIBase) -> Void) {
        DispatchQueue.main.async { api.map(change) }
    }
}
#endif
