/// What stands around a call, the outermost first.
///
/// A call goes through them from the top, and its reply from the bottom. Each is made for a call when that comes to it, and is nil
/// where it is switched off. Whatever sends a second time stands here too.
enum CallSteps {
    static let all: [@Sendable (Call) -> (any CallStep)?] = [
        SharingStep.init,  // waits for an equal call that is under way
        DeadlineStep.init,  // ends the call when its time is over
        RetryStep.init,  // sends again after a failure
        GateStep.init,  // waits for a place
        BuildStep.init,  // builds and checks the request
        AuthorizeStep.init,  // adds the credentials, and sends again when a token is refused
        InterceptStep.init,  // asks the API, and then those below
    ]

    /// What stands between an API's ``APIBase/intercept(_:next:)`` and the network.
    static let sending: [@Sendable (Call) -> (any SendingStep)?] = [
        CacheStep.init,  // answers with a stored reply, and asks whether it still holds
        SendStep.init,  // hands the request to the stub or the session
    ]
}
