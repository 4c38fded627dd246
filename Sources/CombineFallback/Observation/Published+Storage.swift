public import Basics

extension Published {
    /// The state that the copies of one property share.
    @usableFromInline final class Storage {
        @usableFromInline struct State {
            @usableFromInline var value: Value
            /// Made for the first subscriber.
            @usableFromInline var spectators: Spectators?
            @usableFromInline var owner: ObservableObjectPublisher?
            /// The subscriptions of what is assigned to the property.
            @usableFromInline var assignments: [AnyCancellable] = []

            @inlinable init(value: Value) { self.value = value }
        }

        /// The property's subscribers, who are told when it is gone.
        @usableFromInline final class Spectators {
            @usableFromInline let broadcast: Broadcast<Value, Never>

            init(current: Value) { broadcast = Broadcast(memory: .current, current: current) }

            deinit { broadcast.finish(.finished) }
        }

        @usableFromInline let state: Locked<State>

        @inlinable init(_ value: Value) { state = Locked(State(value: value)) }

        @inlinable var value: Value { state.withLock { $0.value } }

        /// Of values that are set at once, or while one is delivered, the one published last is the one that stays.
        @inlinable func set(_ value: Value) {
            // The old value travels out of the lock before it is released.
            let unseen: Value? = state.withLock { state in
                guard state.owner == nil, state.spectators == nil else { return nil }
                defer { state.value = value }
                return state.value
            }
            if unseen == nil { announce(value) }
        }

        /// Sets the value and tells of it.
        @usableFromInline func announce(_ value: Value) {
            state.withLock { $0.owner }?.send()
            let (spectators, _): (Spectators?, Value?) = state.withLock { state in
                if let spectators = state.spectators { return (spectators, nil) }
                defer { state.value = value }
                return (nil, state.value)
            }
            guard let broadcast = spectators?.broadcast else { return }
            broadcast.send(value)
            _ = state.withLock { state in
                defer { state.value = broadcast.state.withLock { $0.current } ?? value }
                return state.value
            }
        }

        func keep(_ assignment: AnyCancellable) { state.withLock { $0.assignments.append(assignment) } }

        func broadcast() -> Broadcast<Value, Never> {
            state.withLock { state in
                if let spectators = state.spectators { return spectators.broadcast }
                let spectators = Spectators(current: state.value)
                state.spectators = spectators
                return spectators.broadcast
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
