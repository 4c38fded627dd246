extension Publishers {
    /// A publisher of no more than one value in a given time.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The minimum time between two values.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time, and delivers values and completion.
        public let scheduler: Context
        /// Whether the latest value of an interval is published instead of the first.
        public let latest: Bool
        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            (self.upstream, self.interval, self.scheduler, self.latest) = (upstream, interval, scheduler, latest)
        }

        @inlinable func receive(erased downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Throttle")
            var next: Upstream.Output?
            var notBefore: Context.SchedulerTimeType?
            // Delivered after the value that waits.
            var ending: Subscribers.Completion<Failure>?
            let (scheduler, interval) = (scheduler, interval)
            func deliver() {
                var value: Upstream.Output?
                let after = scheduler.now.advanced(by: interval)
                outlet.act { state in
                    swap(&next, &value)
                    notBefore = after
                    state.offer(&value)
                    if let completion = ending { state.finish(completion) }
                }
            }
            Inlet(
                outlet,
                .all,
                startsDownstream: true,
                schedule: { scheduler.schedule($0) },
                take: { [latest] state, value, _ in
                    if next != nil {
                        if latest { swap(&next, &value) }
                        return nil
                    }
                    guard state.demand > .none else { return nil }
                    swap(&next, &value)
                    let due = notBefore
                    return {
                        if let due, due > scheduler.now {
                            scheduler.schedule(after: due, deliver)
                        } else {
                            scheduler.schedule(deliver)
                        }
                    }
                },
                end: { _, completion in
                    ending = completion
                    return next == nil ? { scheduler.schedule { outlet.act { $0.finish(completion) } } } : nil
                }
            )
            .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Publishes the first value at once, on `scheduler`, and then at most one value of each `interval`: the latest or
    /// the first.
    ///
    /// The end waits for a value that is due later. A value without demand is dropped.
    @inlinable public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        scheduler: S,
        latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
