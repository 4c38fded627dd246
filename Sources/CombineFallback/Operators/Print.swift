extension Publishers {
    /// A publisher that writes a line when something passes, and changes nothing.
    public struct Print<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// Upstream's failure.
        public typealias Failure = Upstream.Failure

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What each line begins with, followed by a colon unless it is empty.
        public let prefix: String

        /// Where the lines go; to standard output if nil.
        public let stream: (any TextOutputStream)?

        /// Creates the publisher.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Tap(Hooks(prefix: prefix, lines: Lines(to: stream)), AnySubscriber(subscriber)))
        }
    }
}

extension Publisher {
    /// Writes a line when something passes, to `stream` or to standard output, and changes nothing.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}

extension Publishers.Print {
    private struct Hooks: Taps {
        static var name: String { "Print" }
        let prefix: String
        let lines: Lines

        func subscribed(_ subscription: any Subscription) { write("receive subscription: (\(subscription))") }
        func received(_ input: Output) { write("receive value: (\(input))") }
        func cancelled() { write("receive cancel") }

        func ended(_ completion: Subscribers.Completion<Failure>) {
            switch completion {
            case .finished: write("receive finished")
            case .failure(let error): write("receive error: (\(error))")
            }
        }

        func requested(_ demand: Subscribers.Demand, isReturned: Bool) {
            let amount = demand.max.map { "max: (\($0))" } ?? "unlimited"
            write("request \(amount)\(isReturned ? " (synchronous)" : "")")
        }

        private func write(_ text: String) { lines.write(prefix.isEmpty ? text : "\(prefix): \(text)") }
    }
}

/// Writes lines one after the other, whatever threads they come from, and not under a lock.
private struct Lines {
    struct State {
        var stream: (any TextOutputStream)?
        var waiting = Queue<String>()
        var isBusy = false
    }

    let state: Guarded<State>

    init(to stream: (any TextOutputStream)?) { state = Guarded(State(stream: stream)) }

    func write(_ line: String) {
        let mine = state.withLock { state in
            state.waiting.append(line)
            defer { state.isBusy = true }
            return state.isBusy ? nil : (stream: state.stream.take(), first: state.waiting.popFirst())
        }
        guard let mine else { return }
        var (stream, next) = mine
        while let line = next {
            if stream?.write(line + "\n") == nil { Swift.print(line) }
            next = state.withLock { state in
                let next = state.waiting.popFirst()
                if next == nil {
                    state.stream = stream
                    state.isBusy = false
                }
                return next
            }
        }
    }
}
