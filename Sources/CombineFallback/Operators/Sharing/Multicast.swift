import Basics

extension Publishers {
    /// A publisher that shares one subscription among its subscribers through a subject.
    public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, ValuePassing,
        FailurePassing
    where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
        /// The upstream publisher.
        public let upstream: Upstream
        /// Makes the subject on first use.
        public let createSubject: () -> SubjectType

        private let made = Locked<SubjectType?>(nil)

        /// Creates the publisher.
        public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
            (self.upstream, self.createSubject) = (upstream, createSubject)
        }

        private var subject: SubjectType {
            if let subject = made.withLockUnchecked({ $0 }) { return subject }
            let new = createSubject()
            return made.withLockUnchecked { subject in
                if subject == nil { subject = new }
                return subject ?? new
            }
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            Outlet(downstream, name: "Multicast").forward(subject, startsDownstream: true)
        }

        /// Subscribes the subject to upstream, until the result is cancelled or released.
        public func connect() -> any Cancellable { upstream.subscribe(subject) }
    }

    /// A publisher that subscribes to upstream when `connect()` is called.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, ValuePassing, FailurePassing {
        private let multicast: Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>

        @usableFromInline var upstream: Upstream { multicast.upstream }

        /// Creates the publisher.
        public init(upstream: Upstream) { multicast = upstream.multicast { PassthroughSubject() } }

        @usableFromInline func receive(erased downstream: Downstream) { multicast.receive(erased: downstream) }

        /// Subscribes to upstream, until the result is cancelled or released.
        public func connect() -> any Cancellable { multicast.connect() }
    }

    /// A publisher that connects another one while it has subscribers.
    public final class Autoconnect<Upstream: ConnectablePublisher>: ValuePassing, FailurePassing {
        private struct State {
            /// The number of subscribers that have not cancelled. Those that got the end count, so that upstream is not
            /// connected again after it.
            var subscribers = 0
            /// The number of times that upstream has been connected.
            var turn = 0
            var connection: (any Cancellable)?
        }

        /// The publisher that is connected.
        public let upstream: Upstream

        private let state = IdentifiedLock(State())

        /// Creates the publisher.
        public init(upstream: Upstream) { self.upstream = upstream }

        @usableFromInline func receive(erased downstream: Downstream) { receive(erased: downstream, as: "Autoconnect") }

        func receive(erased downstream: Downstream, as name: StaticString) {
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

        /// Whether this connection still has subscribers.
        private func isWanted(_ turn: Int, _ connection: (any Cancellable)? = nil) -> Bool {
            state.withLock { state in
                guard state.subscribers > 0, state.turn == turn else { return false }
                state.connection = connection
                return true
            }
        }

        /// Static, so that a subscription keeps the state but not upstream.
        private static func leave(_ state: IdentifiedLock<State>) {
            let connection: (any Cancellable)? = state.withLock { state in
                state.subscribers -= 1
                return state.subscribers == 0 ? state.connection.take() : nil
            }
            connection?.cancel()
        }
    }

    /// A publisher that subscribes to upstream once for all its subscribers.
    public final class Share<Upstream: Publisher>: ValuePassing, FailurePassing, Equatable {
        /// The upstream publisher.
        public let upstream: Upstream

        private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Upstream.Output, Upstream.Failure>>>

        /// Creates the publisher.
        public init(upstream: Upstream) {
            self.upstream = upstream
            shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            shared.receive(erased: downstream, as: "Multicast")
        }

        /// Whether both are the same object.
        public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
    }
}

extension Publisher {
    /// Shares one subscription among all subscribers, through a subject that `createSubject` makes on first use.
    /// Nothing is delivered before ``Publishers/Multicast/connect()`` is called.
    public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        .init(upstream: self, createSubject: createSubject)
    }

    /// Shares one subscription among all subscribers through `subject`.
    public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
    where S.Output == Output, S.Failure == Failure {
        multicast { subject }
    }

    /// Shares one subscription among all subscribers, from the first subscriber until the last one cancels.
    ///
    /// Later subscribers get later values; after the end, only the completion.
    public func share() -> Publishers.Share<Self> { .init(upstream: self) }
}

extension Publisher where Failure == Never {
    /// Subscribes to upstream when `connect()` is called.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> { .init(upstream: self) }
}

extension ConnectablePublisher {
    /// Connects with the first subscriber, and disconnects when the last one has cancelled.
    public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}
