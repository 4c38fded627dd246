public import Basics

extension Outlet {
    /// A port whose values are delivered elsewhere, in order: work that runs at the same time neither overlaps nor
    /// overtakes.
    ///
    /// The outlet is not pulled. What may be delivered is said by the work that has been scheduled: one value or, in
    /// batches, all that are waiting when the work begins.
    @inlinable func mover(
        inBatches: Bool,
        by schedule: @escaping (@escaping () -> Void) -> Void,
        onValue: (() -> Void)? = nil
    ) -> Port<Output, Failure, Output, Failure> {
        let isScheduled = Cell(false)
        let deliver = {
            onValue?()
            schedule {
                act { state in
                    isScheduled.value = false
                    if inBatches { state.demand = .max(state.queue.count) } else { state.demand += 1 }
                }
            }
        }
        return Port(
            self,
            .asDemanded,
            begins: true,
            schedule: schedule,
            take: { state, value, _ in
                state.enqueue(&value)
                if inBatches, isScheduled.value { return onValue }
                isScheduled.value = true
                return deliver
            },
            end: { _, completion in
                { schedule { act { $0.finish(completion) } } }
            }
        )
    }

    /// Cancels something when the stream is over before the line that is returned has been removed.
    @inlinable
    @discardableResult
    func keep(_ cancel: @escaping () -> Void) -> Line {
        let line = Line(.few(.none))
        state.withLock { $0.add(line) }
        adopt(Kept(cancelling: cancel), for: line)
        return line
    }
}

/// A subscription to nothing that delivers.
@usableFromInline struct Kept: Subscription {
    @usableFromInline let cancelling: () -> Void
    @usableFromInline var combineIdentifier: CombineIdentifier { .ofNothing }

    @inlinable init(cancelling: @escaping () -> Void) { self.cancelling = cancelling }

    @usableFromInline func request(_ demand: Subscribers.Demand) {}

    @usableFromInline func cancel() { cancelling() }
}
