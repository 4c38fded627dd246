import Basics
import HTTPTransport

/// Reads values from the lines of a body, each when it is wanted.
///
/// A chunk is asked for when a value is wanted and no line is left, so one chunk and the beginning of a line are kept at
/// most.
final class LineReader<Value>: PullWork {
    typealias Stage = PullStage<Value>

    private var splitter: LineSplitter
    private let make: (Line) throws -> Value?
    /// Attaches the stage to the bytes, or to the response with them.
    private var attach: ((LineReader, Stage) -> Void)?
    private var next: Result<Line, RequestError>?
    private var isAwaitingReply = false
    private var end: Stage.Completion?

    private init(
        _ splitter: LineSplitter,
        _ make: @escaping (Line) throws -> Value?,
        attach: @escaping (LineReader, Stage) -> Void
    ) {
        (self.splitter, self.make, self.attach) = (splitter, make, attach)
    }

    /// Reads the lines of bytes. `make` makes the value of a line; `nil` for none.
    convenience init(
        of bytes: some Publisher<Data, some Error>,
        by splitter: LineSplitter,
        _ make: @escaping (Line) throws -> Value?
    ) {
        self.init(splitter, make) { reader, stage in
            stage.attach(to: bytes, { reader.splitter.take($0) }, end: { reader.end = $0 })
        }
    }

    /// Reads the lines in the body of a response. The errors leave out the secrets of its call.
    convenience init(
        in replies: AnyPublisher<StreamedReply, any Error>,
        by splitter: LineSplitter,
        _ make: @escaping (Line) throws -> Value?
    ) {
        self.init(splitter, make) { reader, stage in
            reader.isAwaitingReply = true
            stage.attach(to: replies) { reply in
                guard reader.isAwaitingReply else { return }
                reader.isAwaitingReply = false
                reply.read(in: stage, { reader.splitter.take($0) }, end: { reader.end = $0 })
            } end: { completion in
                if reader.isAwaitingReply { reader.end = completion }
            }
        }
    }

    func nextStep(in stage: Stage) throws -> PullStep {
        attach.take()?(self, stage)
        while true {
            if next == nil { next = splitter.next() }
            if next == nil, case .finished? = end { next = splitter.takeRest() }
            guard let line = next else {
                if let end { return .end(end) }
                return .parts(stage.isWanted || isAwaitingReply ? .max(1) : .none)
            }
            if case .success = line, !stage.isWanted { return .parts(.none) }
            next = nil
            if let value = try make(line.get()) {
                stage.deliver(value)
                return .delivered
            }
        }
    }

    func clear() {
        (attach, next) = (nil, nil)
        splitter.clear()
    }
}
