extension Publishers {
    /// A publisher that stops the process if upstream fails.
    public struct AssertNoFailure<Upstream: Publisher>: Publisher {
        /// Upstream's values.
        public typealias Output = Upstream.Output

        /// It cannot fail.
        public typealias Failure = Never

        /// The publisher this one is made from.
        public let upstream: Upstream

        /// What the message begins with.
        public let prefix: String

        /// The file the message names.
        public let file: StaticString

        /// The line the message names.
        public let line: UInt

        /// Creates the publisher.
        @inlinable
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.prefix = prefix
            self.file = file
            self.line = line
        }

        /// Attaches `subscriber`.
        @inlinable
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.attach(Relay(AssertNoFailureStage(prefix: prefix, file: file, line: line), subscriber))
        }
    }
}

extension Publisher {
    /// Takes a failure for a programmer error: stops the process, with a message that begins with `prefix`.
    @inlinable
    public func assertNoFailure(
        _ prefix: String = "",
        file: StaticString = #file,
        line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
    }
}

@usableFromInline
struct AssertNoFailureStage<Output, InputFailure: Error>: RelayStage {
    @usableFromInline typealias Failure = Never

    @usableFromInline let prefix: String
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt

    @inlinable
    init(prefix: String, file: StaticString, line: UInt) {
        self.prefix = prefix
        self.file = file
        self.line = line
    }

    @inlinable
    func output(for input: Output) -> Output? { input }

    @inlinable
    func completion(for completion: Subscribers.Completion<InputFailure>) -> Subscribers.Completion<Never> {
        if case .failure(let error) = completion {
            preconditionFailure("\(prefix.isEmpty ? "" : prefix + ": ")\(error)", file: file, line: line)
        }
        return .finished
    }
}
