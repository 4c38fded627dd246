public import Basics

extension Publishers {
    /// The way in which values are grouped into arrays.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// The values of each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)
        /// The values of each interval, and a full array as soon as it has the given number of values.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// A publisher of arrays of the values of each interval.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: FailurePassing {
        /// Upstream's values.
        public typealias Output = [Upstream.Output]

        /// The upstream publisher.
        public let upstream: Upstream
        /// The way in which values are grouped.
        public let strategy: TimeGroupingStrategy<Context>
        /// The options for the scheduler's work.
        public let options: Context.SchedulerOptions?
        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
            (self.upstream, self.strategy, self.options) = (upstream, strategy, options)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "CollectByTime")
            let (scheduler, interval, count) = strategy.parts
            let schedule = { [options] (work: @escaping () -> Void) in scheduler.schedule(options: options, work) }
            var values: [Upstream.Output] = []
            /// Takes an array of waiting values, unless it would be shorter than `least`.
            func next(_ least: Int) -> [Upstream.Output]? {
                guard values.count >= least else { return nil }
                defer { values.removeFirst(Swift.min(count, values.count)) }
                return Array(values.prefix(count))
            }
            func deliver(_ least: Int) {
                outlet.act { state in
                    while state.demand > state.queue.count, var array = next(least).map(Optional.some) {
                        state.enqueue(&array)
                    }
                }
            }
            let timer = scheduler.schedule(
                after: scheduler.now.advanced(by: interval),
                interval: interval,
                tolerance: scheduler.minimumTolerance,
                options: options
            ) { deliver(1) }
            outlet.onEnd(cancel: timer.cancel)
            Inlet(
                outlet,
                .all,
                startsDownstream: true,
                schedule: schedule,
                take: { _, value, _ in
                    guard let value = value.take() else { return nil }
                    values.append(value)
                    return values.count == count ? { schedule { deliver(count) } } : nil
                },
                end: { _, completion in
                    {
                        schedule {
                            outlet.act { state in
                                while case .finished = completion, var array = next(1).map(Optional.some) {
                                    state.enqueue(&array)
                                }
                                state.end(completion)
                            }
                        }
                    }
                }
            )
            .attach(to: upstream)
        }
    }
}

extension Publishers.TimeGroupingStrategy {
    @usableFromInline var parts: (Context, Context.SchedulerTimeType.Stride, count: Int) {
        switch self {
        case .byTime(let scheduler, let interval): (scheduler, interval, .max)
        case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, count)
        }
    }
}

extension Publisher {
    /// Publishes an array of the values of each interval at its end, unless it has no values.
    ///
    /// With a count, an array is published as soon as it has that many values. Arrays are delivered on the strategy's
    /// scheduler. Values wait while there is no demand. The rest is published when upstream finishes, and dropped when
    /// it fails.
    @inlinable public func collect<S: Scheduler>(
        _ strategy: Publishers.TimeGroupingStrategy<S>,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.CollectByTime<Self, S> {
        .init(upstream: self, strategy: strategy, options: options)
    }
}
