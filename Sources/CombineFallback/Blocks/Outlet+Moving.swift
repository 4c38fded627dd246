extension Outlet {
    /// Delivers everything elsewhere, in order: work that is run at the same time neither overlaps nor overtakes.
    ///
    /// Demand is upstream's business here. What may be delivered is said by the work that has been scheduled: one value,
    /// or in batches, all that are waiting when the work is begun.
    @inlinable
    static func move<P: Publisher>(
        _ upstream: P,
        to downstream: AnySubscriber<Output, Failure>,
        as name: StaticString,
        inBatches: Bool,
        by schedule: @escaping (@escaping () -> Void) -> Void
    ) where P.Output == Output, P.Failure == Failure {
        let outlet = Outlet(downstream, name: name, isPulled: false)
        let isScheduled = Cell(false)
        let deliver = {
            schedule {
                outlet.act { state in
                    isScheduled.value = false
                    if inBatches { state.demand = .max(state.queue.count) } else { state.demand += 1 }
                }
            }
        }
        Port(
            outlet,
            .asDemanded,
            begins: true,
            schedule: schedule,
            take: { state, value, _ in
                state.enqueue(&value)
                if inBatches, isScheduled.value { return nil }
                isScheduled.value = true
                return deliver
            },
            end: { _, completion in
                { schedule { outlet.act { $0.finish(completion) } } }
            }
        )
        .attach(to: upstream)
    }
}

extension Outlet.State {
    /// Ends the stream after what is queued, also for an error.
    @inlinable
    mutating func finish(_ completion: Subscribers.Completion<Failure>) {
        if ending == nil { ending = completion }
    }
}
