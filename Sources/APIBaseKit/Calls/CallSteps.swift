extension Call {
    /// What stands around a call, the outermost first. What is switched off is not here.
    ///
    /// A call goes through them from the top, and its reply from the bottom. Whatever sends a second time stands here too.
    func makeSteps() -> [any CallStep] {
        let steps: [(any CallStep)?] = [
            SharingStep(self),  // waits for an equal call that is under way
            DeadlineStep(self),  // ends the call when its time is over
            RetryStep(self),  // sends again after a failure
            GateStep(self),  // waits for a place
            BuildStep(self),  // builds and checks the request
            AuthorizeStep(self),  // adds the credentials, and sends again when a token is refused
            InterceptStep(self),  // asks the API, and then `makeSendingSteps()`
        ]
        return steps.compactMap(\.self)
    }

    /// What stands between an API's ``APIBase/intercept(_:next:)`` and the network.
    func makeSendingSteps() -> [any SendingStep] {
        let steps: [(any SendingStep)?] = [
            CacheStep(self),  // answers with a stored reply, and asks whether it still holds
            SendStep(self),  // hands the request to the stub or the session
        ]
        return steps.compactMap(\.self)
    }
}
