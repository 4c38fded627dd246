/// Why an engine gave up.
package struct EngineFailure: Error {
    let reason: TransportError.Reason
    let underlying: (any Error)?

    /// - Parameters:
    ///   - reason: What it means.
    ///   - underlying: The engine's own error, without secrets.
    package init(reason: TransportError.Reason, underlying: (any Error)? = nil) {
        self.reason = reason
        self.underlying = underlying
    }
}
