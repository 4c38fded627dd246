extension Publishers {
    /// A publisher of no more than one value in a given time.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The least time between two values.
        public let interval: Context.SchedulerTimeType.Stride
        /// The scheduler that measures the time, and delivers values and completion.
        public let scheduler: Context
        /// Whether it is the latest value of that time that is published, not the first.
        public let latest: Bool
        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
            (self.upstream, self.interval, self.scheduler, self.latest) = (upstream, interval, scheduler, latest)
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Throttle")
            var next: Upstream.Output?
            var notBefore: Context.SchedulerTimeType?
            // Waits for the value that is due, and comes after it.
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
                begins: true,
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
    /// Publishes the first value at once, on `scheduler`, and then at most one in each `interval`: the latest or the first
    /// that has come in it.
    ///
    /// A value that waits for its time is published before the end, which waits for it. A value for which there is no
    /// demand is lost.
    @inlinable public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride,
        scheduler: S,
        latest: Bool
    ) -> Publishers.Throttle<Self, S> {
        .init(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
