extension APIBase {
    /// The attempt as it is to be made whenever it is: with the task locals of the code that calls this method now.
    func attemptInCallersContext()
        -> (_ session: () -> any HTTPSession) -> AnyPublisher<DataResponseTuple, any Error>
    {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return { self.attempt(on: $0) }
        }
        let context = CallContext()
        return { session in context.run { self.attempt(on: session) } }
    }
}
