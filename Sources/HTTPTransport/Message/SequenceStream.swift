public import Foundation
import Basics

extension HTTPBody {
    /// The bytes of an asynchronous sequence, such as rows of a database that are encoded one by one:
    ///
    /// ```swift
    /// content = .sequence(type: "text/csv") { database.rows().map { Data($0.csv.utf8) } }
    /// ```
    ///
    /// The next element is requested when the last one has been taken, so a slow server slows the sequence down. On
    /// Linux about a megabyte is read ahead; `URLSession` reads the sequence to its end before it sends, into a file if
    /// it is long. If the sequence throws, the exchange fails with ``TransportError/Reason/invalidRequest(_:)``, and
    /// ``TransportError/underlying`` is that error. When the exchange ends early, the task of the sequence is canceled.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, if known; without it the body is sent in chunks (RFC 9112, section 7.1). A
    ///     sequence that has more or fewer fails the exchange.
    ///   - type: The media type.
    ///   - make: Makes the sequence, once for each attempt.
    /// - Returns: A body that can be sent again.
    public static func sequence<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil,
        type: String? = nil,
        _ make: @escaping @Sendable () -> Chunks
    ) -> HTTPBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        .stream(count: length, type: type) { SequenceStream(make) }
    }

    /// The bytes of this sequence, which can be sent once: as with ``sequence(length:type:_:)``, but a second attempt
    /// fails with ``TransportError/Reason/bodyNotReplayable``.
    public static func once<Chunks: AsyncSequence & Sendable>(
        _ sequence: Chunks,
        length: Int64? = nil,
        type: String? = nil
    ) -> HTTPBody where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let stream = OneShotStream(SequenceStream { sequence }, count: length)
        return HTTPBody(content: .once(stream), contentType: type)
    }
}

/// The bytes of an asynchronous sequence, for readers that may block.
final class SequenceStream: InterruptibleStream {
    private let start: @Sendable (ChunkPipe) async throws -> Void
    private let pipe = ChunkPipe()

    init<Chunks: AsyncSequence & SendableMetatype>(
        _ make: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        start = { pipe in
            for try await chunk in make() where !chunk.isEmpty {
                guard await pipe.write(chunk) else { return }
            }
        }
        super.init(data: Data())
    }

    deinit { pipe.close() }

    override var hasBytesAvailable: Bool { status == .open && pipe.isReadable }

    override func open() {
        status = .open
        let (start, pipe) = (start, pipe)
        let task = Task {
            do {
                try await start(pipe)
                pipe.end(.success(()))
            } catch {
                pipe.end(.failure(error))
            }
        }
        pipe.onClose { task.cancel() }
    }

    override func close() {
        pipe.close()
        status = .closed
    }

    override func interrupt() { pipe.close() }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard status == .open else { return status == .atEnd ? 0 : -1 }
        do {
            let count = try pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: length))
            if count == 0 { status = .atEnd }
            return count
        } catch {
            (failure, status) = (error, .error)
            return -1
        }
    }
}

/// One chunk at a time, from a task to a thread that waits for it.
private final class ChunkPipe: Sendable {
    private struct State {
        /// The rest of the chunk that is being read.
        var chunk = Data()
        /// The writer of that chunk, which waits until it has been read.
        var writer: CheckedContinuation<Bool, Never>?
        var end: Result<Void, any Error>?
        var onClose: (@Sendable () -> Void)?

        /// Copies bytes of the chunk.
        ///
        /// - Returns: Their number, the writer of the chunk if all of it has been read, and the end.
        mutating func read(
            into buffer: UnsafeMutableBufferPointer<UInt8>
        ) -> (Int, CheckedContinuation<Bool, Never>?, Result<Void, any Error>?) {
            let count = chunk.copyBytes(to: buffer)
            chunk = count < chunk.count ? chunk.dropFirst(count) : Data()
            return (count, chunk.isEmpty ? writer.take() : nil, end)
        }
    }

    private let state = Locked(State())
    /// Signaled for each chunk and for the end.
    private let changes = DispatchSemaphore(value: 0)

    /// Whether a read would not wait.
    var isReadable: Bool { state.withLock { !$0.chunk.isEmpty || $0.end != nil } }

    /// Runs `action` when the pipe is closed before its end, or now if it is.
    func onClose(_ action: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if state.end == nil { state.onClose = action }
            return state.end == nil
        }
        if !isOpen { action() }
    }

    /// Hands over a chunk, and waits until it has been read.
    ///
    /// - Returns: False if the pipe is closed.
    func write(_ chunk: Data) async -> Bool {
        await withCheckedContinuation { writer in
            let isOpen = state.withLock { state in
                if state.end == nil { (state.chunk, state.writer) = (chunk, writer) }
                return state.end == nil
            }
            if isOpen { changes.signal() } else { writer.resume(returning: false) }
        }
    }

    /// Waits for bytes.
    ///
    /// - Returns: Their number; 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
        while true {
            let (count, writer, end) = state.withLock { $0.read(into: buffer) }
            writer?.resume(returning: true)
            if count > 0 { return count }
            if let end {
                try end.get()
                return 0
            }
            changes.wait()
        }
    }

    /// The sequence has ended.
    func end(_ end: Result<Void, any Error>) {
        let onClose = state.withLock { state in
            if state.end == nil { state.end = end }
            return state.onClose.take()
        }
        withExtendedLifetime(onClose) {}
        changes.signal()
    }

    /// Nothing more is read.
    func close() {
        let (writer, onClose) = state.withLock { state in
            state.end = .failure(CancellationError())
            state.chunk = Data()
            return (state.writer.take(), state.onClose.take())
        }
        onClose?()
        writer?.resume(returning: false)
        changes.signal()
    }
}
