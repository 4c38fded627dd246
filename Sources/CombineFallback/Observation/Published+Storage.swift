import Locking

extension Published {
    /// What the copies of one property share.
    final class Storage {
        struct State {
            var value: Value
            /// Made for the first subscriber.
            var audience: Audience<Value, Never>?
            var owner: ObservableObjectPublisher?
            /// The subscriptions of what is assigned to the property.
            var assignments: [AnyCancellable] = []
        }

        let state: Locked<State>

        init(_ value: Value) { state = Locked(State(value: value)) }

        deinit { state.withLock { $0.audience }?.finish(.finished) }

        var value: Value { state.withLock { $0.value } }

        /// Of values that are set at once, or while one is delivered, the one published last is the one that stays.
        func set(_ value: Value) {
            state.withLock { $0.owner }?.send()
            // The old value travels out of the lock before it is released.
            let (audience, _): (Audience<Value, Never>?, Value?) = state.withLock { state in
                if let audience = state.audience { return (audience, nil) }
                defer { state.value = value }
                return (nil, state.value)
            }
            guard let audience else { return }
            audience.send(value)
            _ = state.withLock { state in
                defer { state.value = audience.state.withLock { $0.current } ?? value }
                return state.value
            }
        }

        func keep(_ assignment: AnyCancellable) { state.withLock { $0.assignments.append(assignment) } }

        func audience() -> Audience<Value, Never> {
            state.withLock { state in
                if let audience = state.audience { return audience }
                let audience = Audience<Value, Never>(memory: .current, current: state.value)
                state.audience = audience
                return audience
            }
        }

        func announce(through publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
            state.withLock { state in
                if let owner = state.owner { return owner }
                state.owner = publisher
                return publisher
            }
        }
    }
}
