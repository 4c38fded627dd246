import Basics

extension Publishers {
    /// A publisher that delivers to all its subscribers, by way of a subject, what it gets from one subscription.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, ValuePassing,
        FailurePassing
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// Makes the subject, when it is first needed.
        public let createSubject: () -> SubjectType

        private let made = Locked<SubjectType?>(nil)

        /// Creates the publisher.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            (self.upstream, self.createSubject) = (upstream, createSubject)
        }

        private var subject: SubjectType {
            if let subject = made.withLock({ $0 }) { return subject }
            let new = createSubject()
            return made.withLock { subject in
                if subject == nil { subject = new }
                return subject ?? new
            }
        }

        @usableFromInline func serve(_ downstream: Downstream) {
            Outlet(downstream, name: "Multicast").follow(subject, begins: true)
        }

        /// Subscribes the subject to upstream, until the result is cancelled or released.
        public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }

    /// A publisher that waits with its subscription to upstream until it is told to connect.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, ValuePassing, FailurePassing {
        private let multicast: Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>

        @usableFromInline var upstream: Upstream { multicast.upstream }

        /// Creates the publisher.
        public init(upstream: Upstream) { multicast = upstream.multicast { PassthroughSubject() } }

        @usableFromInline func serve(_ downstream: Downstream) { multicast.serve(downstream) }

        /// Subscribes to upstream, until the result is cancelled or released.
        public func connect() -> any Cancellable { multicast.connect() }
    }

    /// A publisher that connects another one while it has subscribers.
    public final class Autoconnect<Upstream: ConnectablePublisher>: ValuePassing, FailurePassing {
        private struct State {
            /// Those who have not cancelled. Whoever gets the end stays: upstream is not connected again after it.
            var subscribers = 0
            /// The number of times that upstream has been connected.
            var turn = 0
            var connection: (any Cancellable)?
        }

        /// The publisher that is connected.
        public let upstream: Upstream

        private let state = Guarded(State())

        /// Creates the publisher.
        public init(upstream: Upstream) { self.upstream = upstream }

        @usableFromInline func serve(_ downstream: Downstream) { serve(downstream, as: "Autoconnect") }

        func serve(_ downstream: Downstream, as name: StaticString) {
            let turn = state.withLock { state in
                state.subscribers += 1
                if state.subscribers == 1 { state.turn += 1 }
                return state.subscribers == 1 ? state.turn : nil
            }
            upstream.attach(Tap(Events(cancel: { [state] in Self.leave(state) }), downstream, name: name))
            guard let turn, isWanted(turn) else { return }
            let connection = upstream.connect()
            if !isWanted(turn, connection) { connection.cancel() }
        }

        /// Whether there are still subscribers for whom this connection is the one.
        private func isWanted(_ turn: Int, _ connection: (any Cancellable)? = nil) -> Bool {
            state.withLock { state in
                guard state.subscribers > 0, state.turn == turn else { return false }
                state.connection = connection
                return true
            }
        }

        /// The subscription keeps this much: upstream may be released before the connection is.
        private static func leave(_ state: Guarded<State>) {
            let connection: (any Cancellable)? = state.withLock { state in
                state.subscribers -= 1
                return state.subscribers == 0 ? state.connection.take() : nil
            }
            connection?.cancel()
        }
    }

    /// A publisher that subscribes to upstream once for all its subscribers.
    public final class Share<Upstream: Publisher>: ValuePassing, FailurePassing, Equatable {
        /// The publisher this one is made from.
        public let upstream: Upstream

        private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

        /// Creates the publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
            shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
        }

        @usableFromInline func serve(_ downstream: Downstream) { shared.serve(downstream, as: "Multicast") }

        /// Whether both are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
    }
}

extension Publisher {
    /// Delivers to all subscribers what one subscription brings, by way of the subject that `createSubject` makes when it
    /// is first needed. Nothing comes before ``Publishers/Multicast/connect()`` is called.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        .init(upstream: self, createSubject: createSubject)
    }

    /// Delivers to all subscribers what one subscription brings, by way of `subject`.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        multicast { subject }
    }

    /// Subscribes to upstream once for all subscribers: with the first of them, until the last one cancels.
    ///
    /// Whoever comes later gets what comes later; after the end, that is only the end.
    public func share() -> Publishers.Share<Self> { .init(upstream: self) }
}

extension Publisher where Failure == Never {
    /// Waits with the subscription to upstream until `connect()` is called.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { .init(upstream: self) }
}

extension ConnectablePublisher {
    /// Connects with the first subscriber, and disconnects when the last one has cancelled.
    public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}
