public import Basics

extension Outlet {
    /// An inlet whose values are delivered elsewhere, in order: work that runs at the same time neither overlaps nor
    /// overtakes.
    ///
    /// The outlet is not pulled. What may be delivered is said by the work that has been scheduled: one value or, in
    /// batches, all that are waiting when the work begins.
    @inlinable func mover(
        inBatches: Bool,
        by schedule: @escaping (@escaping () -> Void) -> Void,
        onValue: (() -> Void)? = nil
    ) -> Inlet<Output, Failure, Output, Failure> {
        var isScheduled = false
        let deliver = {
            onValue?()
            schedule {
                act { state in
                    isScheduled = false
                    if inBatches { state.demand = .max(state.queue.count) } else { state.demand += 1 }
                }
            }
        }
        return Inlet(
            self,
            .asDemanded,
            begins: true,
            schedule: schedule,
            take: { state, value, _ in
                state.enqueue(&value)
                if inBatches, isScheduled { return onValue }
                isScheduled = true
                return deliver
            },
            end: { _, completion in
                { schedule { act { $0.finish(completion) } } }
            }
        )
    }

    /// Cancels something when the stream is over.
    @inlinable func keep(_ cancel: @escaping () -> Void) {
        let inlet = AnyInlet(.few(.none))
        state.withLock { $0.add(inlet) }
        adopt(ErasedSubscription { if case .cancel = $0 { cancel() } }, for: inlet)
    }
}
