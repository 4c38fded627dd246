/// The end of an attempt, as far as the server's health goes.
enum ServerOutcome {
    case success
    case failure
    /// It says nothing of the server: a cancelled call, or one that was not sent.
    case unknown
}
