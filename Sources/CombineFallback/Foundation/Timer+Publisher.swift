#if !canImport(Combine)
public import Foundation
import Basics

extension Timer {
    /// A publisher of the date, again and again, once it is connected.
    ///
    /// Timers of the main run loop fire on the main queue, in any mode: it is served also where no run loop runs.
    public static func publish(
        every interval: TimeInterval,
        tolerance: TimeInterval? = nil,
        on runLoop: RunLoop,
        in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// A publisher of the date each time a timer fires, to all its subscribers.
    ///
    /// A date for which a subscriber has no demand is lost to it.
    public final class TimerPublisher: ConnectablePublisher {
        /// The date at which the timer fired.
        public typealias Output = Date

        /// It cannot fail.
        public typealias Failure = Never

        /// The time between dates, in seconds.
        public let interval: TimeInterval

        /// The number of seconds by which a date may be late; none if nil.
        public let tolerance: TimeInterval?

        /// The run loop on which the timer fires.
        public let runLoop: RunLoop

        /// The mode of the run loop in which the timer fires.
        public let mode: RunLoop.Mode

        /// Nothing can be asked of a run loop.
        public let options: RunLoop.SchedulerOptions?

        private let broadcast = Broadcast<Date, Never>(memory: .none)
        private let connection = Connection()

        /// Creates a publisher that waits to be connected.
        public init(
            interval: TimeInterval,
            tolerance: TimeInterval? = nil,
            runLoop: RunLoop,
            mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            (self.tolerance, self.runLoop, self.mode, self.options) = (tolerance, runLoop, mode, options)
        }

        /// Attaches `subscriber`, which gets nothing before the publisher is connected.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            broadcast.admit(subscriber, name: "Timer")
        }

        /// Starts the timer unless it is running. It stops when what is returned is cancelled, or when both that and the
        /// publisher are released.
        public func connect() -> any Cancellable {
            connection.start { [runLoop, broadcast, mode, interval, tolerance] in
                runLoop.schedule(
                    after: runLoop.now.advanced(by: .seconds(interval)),
                    interval: .seconds(interval),
                    tolerance: .seconds(tolerance ?? 0),
                    mode: mode
                ) { broadcast.send(Date()) }
            }
            return connection
        }
    }

    /// A timer that is running, or not.
    private struct Connection: Cancellable {
        let timer = Locked<AnyCancellable?>(nil)

        func start(_ timer: () -> AnyCancellable) {
            let new = timer()
            let superfluous: AnyCancellable? = self.timer.withLock { timer in
                if timer != nil { return new }
                timer = new
                return nil
            }
            superfluous?.cancel()
        }

        func cancel() { timer.withLock { $0.take() }?.cancel() }
    }
}
#endif
