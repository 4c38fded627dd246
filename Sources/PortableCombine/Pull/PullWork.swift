/// Makes values of parts, as lines are made of chunks of bytes. One thread at a time uses it, so its members need no
/// lock.
package protocol PullWork<Output>: AnyObject {
    associatedtype Output

    /// Makes the next step. A value is made, and delivered, only if the stage ``PullStage/isWanted``.
    ///
    /// - Throws: An error of the work itself. The source is canceled.
    func nextStep(in stage: PullStage<Output>) throws -> PullStep

    /// Releases what is kept: the stage is over.
    func clear()
}

/// Work that is canceled together, such as the calls of an API.
package protocol PullSeries: AnyObject, Sendable {
    /// The error of a series that has been canceled; nil before.
    var cancellation: (any Error)? { get }

    /// Keeps what ends a part of the series with an error, on any thread.
    ///
    /// - Returns: The number of the part; `nil` if the series has been canceled.
    func begin(_ end: @escaping (any Error) -> Void) -> Int?

    func end(_ part: Int)
}

/// The owner of a source, which ends with it, such as the call whose body it is.
package protocol PullOwner: AnyObject, Sendable {
    /// Ends with the owner.
    var series: any PullSeries { get }

    /// The first subscriber with demand reads the source.
    func begin(_ reader: ObjectIdentifier)

    /// The completion as a reader sees it.
    func seen(_ completion: Subscribers.Completion<any Error>) -> Subscribers.Completion<any Error>

    /// Ends the owner, if this is the reader; `nil` if the source is given up.
    func end(_ completion: Subscribers.Completion<any Error>, of reader: ObjectIdentifier?)
}

package enum PullStep {
    /// A value has been delivered.
    case delivered
    /// Asks the source for so many parts, less those that it has been asked for; none to wait.
    case parts(Subscribers.Demand)
    /// The end of the source, or of all sources.
    case end(Subscribers.Completion<any Error>)
}

/// A publisher whose subscriptions are stages, each with work of its own.
package struct Pulled<Output>: Publisher {
    package typealias Failure = any Error

    private let series: () -> (any PullSeries)?
    private let work: () -> any PullWork<Output>

    /// - Parameters:
    ///   - series: The series that cancels a subscription. It may begin with that.
    ///   - work: Makes the work of a subscription.
    package init(
        in series: @autoclosure @escaping () -> (any PullSeries)? = nil,
        _ work: @escaping () -> any PullWork<Output>
    ) {
        (self.series, self.work) = (series, work)
    }

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        PullStage(work(), for: AnySubscriber(subscriber), in: series()).begin()
    }
}
