/// Passes on the values of publishers, with the demand of the subscriber.
package final class Relay<Output>: PullWork {
    package typealias Stage = PullStage<Output>

    /// Attaches the stage to a source, where none is read. Called again until one is.
    private var attach: ((Relay, Stage) -> Void)?
    private var isReading = false
    private var end: Stage.Completion?

    package init(_ attach: @escaping (Relay, Stage) -> Void) { self.attach = attach }

    /// Reads a publisher, which is the last one unless there is a next when it has finished.
    package func read(
        _ source: some Publisher<Output, any Error>,
        in stage: Stage,
        following end: (any PullOwner)? = nil,
        hasNext: Bool = false
    ) {
        isReading = true
        stage.attach(to: source, following: end) {
            stage.deliver($0)
        } end: { completion in
            self.isReading = false
            if case .finished = completion, hasNext { return }
            self.finish(completion)
        }
    }

    package func finish(_ completion: Stage.Completion) { end = completion }

    package func nextStep(in stage: Stage) -> PullStep {
        if !isReading, end == nil { attach?(self, stage) }
        if let end { return .end(end) }
        // What is no value yet, such as a response, is asked for at once.
        return .parts(isReading ? stage.demand : .max(1))
    }

    package func clear() { attach = nil }
}

extension Publisher where Failure == any Error {
    /// The values of the publisher that is made of the first value, such as the body of a response. No other value is
    /// read, and the end without a value is the end. The value is asked for at once, and the others on demand.
    ///
    /// The demand is that of downstream, and the end follows the values, so that a value that has been published is
    /// never dropped for an error. (`flatMap` asks for a value in advance, and drops it if the publisher fails.)
    package func continued<NextOutput>(
        by next: @escaping (Output) -> some Publisher<NextOutput, any Error>
    ) -> Pulled<NextOutput> {
        continued { $1.read(next($0), in: $2) }
    }

    /// The values that are read as the first value tells.
    package func continued<NextOutput>(
        _ read: @escaping (Output, Relay<NextOutput>, PullStage<NextOutput>) -> Void
    ) -> Pulled<NextOutput> {
        Pulled {
            var (isFirst, hasStarted) = (true, false)
            return Relay { relay, stage in
                guard !hasStarted else { return }
                hasStarted = true
                stage.attach(to: self) { value in
                    if isFirst { read(value, relay, stage) }
                    isFirst = false
                } end: { completion in
                    if isFirst { relay.finish(completion) }
                }
            }
        }
    }

    /// The values, until they are canceled.
    package func cancelable(with series: any PullSeries) -> Pulled<Output> {
        Pulled(in: series) { Relay { $0.read(self, in: $1) } }
    }
}
