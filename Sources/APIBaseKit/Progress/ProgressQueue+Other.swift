#if !canImport(Darwin)
extension ProgressQueue {
    /// None: a service need not run a main loop.
    static var ofThisSystem: ProgressQueue? { nil }
}
#endif
