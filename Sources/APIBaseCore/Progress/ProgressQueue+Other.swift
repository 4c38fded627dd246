#if !canImport(Darwin)
extension ProgressQueue {
    /// No queue: a service need not run a main loop.
    static var ofThisSystem: ProgressQueue? { nil }
}
#endif
