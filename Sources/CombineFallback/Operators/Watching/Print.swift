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
            // Writes one line after the other, whatever threads they come from, and not under a lock.
            let lines = Broadcast<String, Never>(memory: .none)
            let prefix = prefix.isEmpty ? "" : "\(prefix): "
            var stream = stream
            let writer = AnySubscriber<String, Never>(receiveSubscription: { $0.request(.unlimited) }) { line in
                if stream?.write("\(prefix)\(line)\n") == nil { Swift.print("\(prefix)\(line)") }
                return .none
            }
            lines.admit(writer, name: "Print")
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
    /// Writes a line when something passes, to `stream` or to standard output, and changes nothing.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}
