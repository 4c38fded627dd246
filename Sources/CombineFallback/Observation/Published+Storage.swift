public import Basics

extension Published {
    /// The state that the copies of one property share.
    @usableFromInline struct Storage {
        @usableFromInline struct State {
            @usableFromInline var value: Value
            /// Made for the first subscriber.
            @usableFromInline var observers: Observers?
            @usableFromInline var willChange: ObservableObjectPublisher?
            /// The subscriptions of publishers assigned to the property.
            @usableFromInline var assignments: [AnyCancellable] = []

            @inlinable init(value: Value) { self.value = value }
        }

        /// The property's subscribers. Their stream finishes when the property is released.
        @usableFromInline final class Observers {
            @usableFromInline let broadcast: Broadcast<Value, Never>

            init(current: Value) { broadcast = Broadcast(memory: .current, current: current) }

            deinit { broadcast.finish(.finished) }
        }

        @usableFromInline let state: Locked<State>

        @inlinable init(_ value: Value) { self.init(state: Locked(uncheckedState: State(value: value))) }

        @usableFromInline init(state: Locked<State>) { self.state = state }

        @inlinable var value: Value { state.withLockUnchecked { $0.value } }

        /// Sets the value. If values are set at the same time, or during a delivery, the one published last is kept.
        @inlinable func set(_ value: Value) {
            // The old value is released outside the lock.
            let unseen: Value? = state.withLockUnchecked { state in
                guard state.willChange == nil, state.observers == nil else { return nil }
                defer { state.value = value }
                return state.value
            }
            if unseen == nil { publish(value) }
        }

        /// Publishes the value and stores it.
        @usableFromInline func publish(_ value: Value) {
            state.withLockUnchecked { $0.willChange }?.send()
            let (observers, _): (Observers?, Value?) = state.withLockUnchecked { state in
                if let observers = state.observers { return (observers, nil) }
                defer { state.value = value }
                return (nil, state.value)
            }
            guard let broadcast = observers?.broadcast else { return }
            broadcast.send(value)
            _ = state.withLockUnchecked { state in
                defer { state.value = broadcast.state.withLock { $0.current } ?? value }
                return state.value
            }
        }

        func keep(_ assignment: AnyCancellable) { state.withLockUnchecked { $0.assignments.append(assignment) } }

        func broadcast() -> Broadcast<Value, Never> {
            state.withLockUnchecked { state in
                if let observers = state.observers { return observers.broadcast }
                let observers = Observers(current: state.value)
                state.observers = observers
                return observers.broadcast
            }
        }

        func useWillChange(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
            state.withLockUnchecked { state in
                if let willChange = state.willChange { return willChange }
                state.willChange = publisher
                return publisher
            }
        }
    }
}
