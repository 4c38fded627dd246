import Basics

extension Publishers {
    /// A publisher that writes a line when something passes, and changes nothing.
    public struct Print<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The publisher this one is made from.
        public let upstream: Upstream
        /// The beginning of each line, followed by a colon unless it is empty.
        public let prefix: String
        /// The stream to which the lines are written; standard output if nil.
        public let stream: (any TextOutputStream)?
        /// Creates the publisher.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            (self.upstream, self.prefix, self.stream) = (upstream, prefix, stream)
        }

        @usableFromInline func serve(_ downstream: Downstream) {
            let lines = Lines(to: stream, prefix: prefix.isEmpty ? "" : "\(prefix): ")
            let events = Events<Upstream.Output, Failure>(
                subscription: { lines.write("receive subscription: (\($0))") },
                value: { lines.write("receive value: (\($0))") },
                completion: { completion in
                    switch completion {
                    case .finished: lines.write("receive finished")
                    case .failure(let error): lines.write("receive error: (\(error))")
                    }
                },
                cancel: { lines.write("receive cancel") },
                request: { demand, isReturned in
                    let amount = demand.max.map { "max: (\($0))" } ?? "unlimited"
                    lines.write("request \(amount)\(isReturned ? " (synchronous)" : "")")
                }
            )
            upstream.attach(Tap(events, downstream, name: "Print"))
        }
    }
}

extension Publisher {
    /// Writes a line when something passes, to `stream` or to standard output, and changes nothing.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
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
    let prefix: String

    init(to stream: (any TextOutputStream)?, prefix: String) {
        state = Guarded(State(stream: stream))
        self.prefix = prefix
    }

    func write(_ line: String) {
        let mine = state.withLock { state in
            state.waiting.append(prefix + line)
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
