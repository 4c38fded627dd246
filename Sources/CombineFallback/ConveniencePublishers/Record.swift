/// A publisher of recorded values and a recorded completion, delivered to each subscriber on demand.
public struct Record<Output, Failure: Error>: Publisher {
    /// The recording.
    public let recording: Recording

    /// Creates a publisher of the recording that `record` fills.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Creates a publisher of `recording`.
    public init(recording: Recording) { self.recording = recording }

    /// Creates a publisher of `output` and then `completion`.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let playback = Relay<Output, Never, _>(to: AnySubscriber(subscriber), output: { $0 }) { [recording] _ in
            recording.completion
        }
        Publishers.Sequence<[Output], Never>(sequence: recording.output).attach(playback)
    }

    /// Values and a completion.
    public struct Recording {
        /// The type of the recorded values.
        public typealias Input = Output

        /// The values so far.
        public private(set) var output: [Output] = []

        /// The completion; `finished` unless another one is recorded.
        public private(set) var completion = Subscribers.Completion<Failure>.finished

        private var isComplete = false

        /// Creates an empty recording.
        public init() {}

        /// Creates a complete recording.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            (self.output, self.completion) = (output, completion)
            isComplete = true
        }

        /// Records a value. Recording one after the completion is a programmer error.
        public mutating func receive(_ input: Input) {
            precondition(!isComplete, "a recording that is complete takes no value")
            output.append(input)
        }

        /// Records the completion. Recording a second one is a programmer error.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(!isComplete, "a recording that is complete takes no completion")
            self.completion = completion
            isComplete = true
        }
    }
}

extension Record: Codable where Output: Codable, Failure: Codable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
    private enum CodingKeys: String, CodingKey { case output, completion }

    /// Decodes a complete recording.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            output: try container.decode([Output].self, forKey: .output),
            completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion)
        )
    }

    /// Encodes the values under `output` and the completion under `completion`.
    public func encode(to encoder: any Encoder) throws { try encode(into: encoder) }

    /// Encodes the values under `output` and the completion under `completion`.
    public func encode(into encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(output, forKey: .output)
        try container.encode(completion, forKey: .completion)
    }
}

extension Record: Sendable where Output: Sendable {}
extension Record.Recording: Sendable where Output: Sendable {}
