extension Publishers {
    /// A publisher that prints a line for each event and changes nothing.
    public struct Print<Upstream: Publisher>: ValuePassing, FailurePassing {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The beginning of each line, followed by a colon unless it is empty.
        public let prefix: String
        /// The stream for the lines; standard output if nil.
        public let stream: (any TextOutputStream)?
        /// Creates the publisher.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            (self.upstream, self.prefix, self.stream) = (upstream, prefix, stream)
        }

        @usableFromInline func receive(erased downstream: Downstream) {
            // Prints one line after another, from any thread, and not under a lock.
            let lines = Broadcast<String, Never>(memory: .none)
            let prefix = prefix.isEmpty ? "" : "\(prefix): "
            var stream = stream
            let writer = AnySubscriber<String, Never>(receiveSubscription: { $0.request(.unlimited) }) { line in
                if stream?.write("\(prefix)\(line)\n") == nil { Swift.print("\(prefix)\(line)") }
                return .none
            }
            lines.subscribe(writer, name: "Print")
            let events = Events<Upstream.Output, Failure>(
                subscription: { lines.send("receive subscription: (\($0))") },
                value: { lines.send("receive value: (\($0))") },
                completion: { completion in
                    switch completion {
                    case .finished: lines.send("receive finished")
                    case .failure(let error): lines.send("receive error: (\(error))")
                    }
                },
                cancel: { lines.send("receive cancel") },
                request: { demand, isReturned in
                    let amount = demand.max.map { "max: (\($0))" } ?? "unlimited"
                    lines.send("request \(amount)\(isReturned ? " (synchronous)" : "")")
                }
            )
            upstream.attach(Tap(events, downstream, name: "Print"))
        }
    }
}

extension Publisher {
    /// Prints a line for each event to `stream` or to standard output, and changes nothing.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}
