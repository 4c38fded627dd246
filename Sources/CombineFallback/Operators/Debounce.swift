extension Publishers {
    /// A publisher of the values after which nothing came for a time.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream

        /// How long nothing must come.
        public let dueTime: Context.SchedulerTimeType.Stride

        /// What measures the time, and where values and completion are delivered.
        public let scheduler: Context

        /// What is asked of the scheduler.
        public let options: Context.SchedulerOptions?

        /// Creates the publisher.
        public init(
            upstream: Upstream,
            dueTime: Context.SchedulerTimeType.Stride,
            scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        @inlinable func serve(_ downstream: Downstream) {
            let outlet = Outlet(downstream, name: "Debounce")
            let latest = Cell<Upstream.Output?>(nil)
            // What is due belongs to one of the values.
            let count = Cell(0)
            func settle(_ number: Int) {
                var value: Upstream.Output?
                outlet.act { state in
                    guard count.value == number else { return }
                    swap(&value, &latest.value)
                    state.offer(&value)
                }
            }
            Port(
                outlet,
                .all,
                begins: true,
                schedule: { [scheduler, options] in scheduler.schedule(options: options, $0) },
                take: { [scheduler, dueTime, options] _, value, _ in
                    swap(&latest.value, &value)
                    count.value += 1
                    let number = count.value
                    return {
                        scheduler.schedule(
                            after: scheduler.now.advanced(by: dueTime),
                            tolerance: scheduler.minimumTolerance,
                            options: options
                        ) { settle(number) }
                    }
                },
                end: { [scheduler, options] state, completion in
                    count.value += 1
                    return { scheduler.schedule(options: options) { outlet.act { $0.end(completion) } } }
                }
            )
            .attach(to: upstream)
        }
    }
}

extension Publisher {
    /// Publishes a value once nothing has followed it for `dueTime`.
    ///
    /// A value that is still waiting when upstream ends is lost, and so is one for which there is no demand.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride,
        scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}
