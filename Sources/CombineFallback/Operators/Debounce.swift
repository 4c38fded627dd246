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
            let (scheduler, dueTime, options) = (scheduler, dueTime, options)
            // The latest value, until it is due. That is nil while it is being worked out.
            let latest = Cell<Upstream.Output?>(nil)
            let due = Cell<Context.SchedulerTimeType?>(nil)
            // Whether there is a job that waits. There is one at most; it keeps the value no longer than the stream does.
            let isWaiting = Cell(false)
            func wait(until time: Context.SchedulerTimeType, with latest: Cell<Upstream.Output?>) {
                scheduler.schedule(after: time, tolerance: scheduler.minimumTolerance, options: options) {
                    [weak latest] in
                    var value: Upstream.Output?
                    let next: Context.SchedulerTimeType? = outlet.act { state in
                        guard let latest else { return nil }
                        if let due = due.value, due > time { return due }
                        isWaiting.value = false
                        guard due.value != nil else { return nil }
                        swap(&value, &latest.value)
                        state.offer(&value)
                        return nil
                    }
                    if let next, let latest { wait(until: next, with: latest) }
                }
            }
            Port(
                outlet,
                .all,
                begins: true,
                schedule: { scheduler.schedule(options: options, $0) },
                take: { _, value, _ in
                    swap(&latest.value, &value)
                    due.value = nil
                    return {
                        let time = scheduler.now.advanced(by: dueTime)
                        let mustWait = outlet.state.withLock { _ in
                            defer { (due.value, isWaiting.value) = (time, true) }
                            return !isWaiting.value
                        }
                        if mustWait { wait(until: time, with: latest) }
                    }
                },
                end: { _, completion in
                    { scheduler.schedule(options: options) { outlet.act { $0.end(completion) } } }
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
