/// A publisher that delivers nothing until it is told to: subscribers gather first, then `connect()` starts the
/// one upstream they share.
///
/// Cancelling what `connect()` returned stops the upstream; a connection that is dropped without being cancelled
/// ends as a dropped `Cancellable` of its kind does, so keep it.
/// Source: Apple's documentation of `ConnectablePublisher`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
    /// Starts the upstream and returns what stops it.
    func connect() -> any Cancellable
}
