#if !canImport(Combine)
public import Foundation
import Basics

extension Timer {
    /// A publisher of the current date at each interval, once it is connected.
    ///
    /// Timers of the main run loop fire on the main queue, in any mode, because that also works where no run loop runs.
    public static func publish(
        every interval: TimeInterval,
        tolerance: TimeInterval? = nil,
        on runLoop: RunLoop,
        in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// A publisher of the date each time a timer fires. A subscriber without demand misses the date.
    public final class TimerPublisher: ConnectablePublisher {
        /// The date at which the timer fired.
        public typealias Output = Date

        /// The publisher never fails.
        public typealias Failure = Never

        /// The time between dates, in seconds.
        public let interval: TimeInterval

        /// The number of seconds by which the timer may be late; 0 if nil.
        public let tolerance: TimeInterval?

        /// The run loop on which the timer fires.
        public let runLoop: RunLoop

        /// The mode of the run loop in which the timer fires.
        public let mode: RunLoop.Mode

        /// Unused: a run loop has no options.
        public let options: RunLoop.SchedulerOptions?

        private let broadcast = Broadcast<Date, Never>(memory: .none)
        private let connection = Connection()

        /// Creates a publisher that is not connected.
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

        /// Attaches `subscriber`, which receives dates once the publisher is connected.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            broadcast.subscribe(subscriber, name: "Timer")
        }

        /// Starts the timer unless it is running. It stops when the result is cancelled, or when both the result and
        /// the publisher are released.
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

    /// A timer that may be running.
    private struct Connection: Cancellable {
        let timer = Locked<AnyCancellable?>(nil)

        func start(_ timer: () -> AnyCancellable) {
            let new = timer()
            let superfluous: AnyCancellable? = self.timer.withLockUnchecked { timer in
                if timer != nil { return new }
                timer = new
                return nil
            }
            superfluous?.cancel()
        }

        func cancel() { timer.withLockUnchecked { $0.take() }?.cancel() }
    }
}
#endif
