import HTTPTransport

/// One hop that has failed before it began.
final class FailureTask: EngineTask {
    let canPause = true
    let seesConnection = true
    let isNetwork = false
    private let failure: EngineFailure

    init(_ failure: EngineFailure) {
        self.failure = failure
    }

    func start(_ request: ExchangeRequest, telling observer: any EngineTaskObserver) {
        observer.began()
        observer.finished(failure)
    }

    func setPaused(_ paused: Bool) {}
    func cancel() {}
}
