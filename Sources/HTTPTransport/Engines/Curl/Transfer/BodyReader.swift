#if os(Linux) || os(Android)
import Dispatch
import Foundation
import Basics

/// Reads a file or a stream ahead of what has been sent, on its own queue, because reading may block.
final class BodyReader: Sendable {
    /// The most bytes that are read ahead.
    private static let room = 512 << 10
    private static let portion = 128 << 10

    private struct State {
        var chunks: [Data] = []
        var queued = 0
        var total: Int64 = 0
        var isEnded = false
        var failure: EngineFailure?
        var isReading = false
        var isAwaited = true
        var isCancelled = false
        /// The number of the attempt. Portions of earlier attempts are dropped.
        var attempt = 0
    }

    enum Portion {
        case bytes([Data], isLast: Bool)
        case later
        case failed(EngineFailure)
    }

    private let body: HTTPBody
    private let count: Int64?
    private let queue = DispatchQueue(label: "HTTPTransport.body")
    private let state = Locked(State())
    private let stream = Locked<InputStream?>(nil)
    private let onReady: @Sendable () -> Void

    /// - Parameters:
    ///   - body: A file or a stream.
    ///   - onReady: Called when there is something to take after there was nothing, and after a failure.
    init(_ body: HTTPBody, onReady: @escaping @Sendable () -> Void) {
        self.body = body
        self.onReady = onReady
        count = body.count
    }

    /// Starts to read at the first byte.
    func start() {
        let attempt = state.withLock { state in
            let attempt = state.attempt + 1
            state = State(isReading: true, isCancelled: state.isCancelled, attempt: attempt)
            return attempt
        }
        queue.async { [self] in
            do throws(EngineFailure) {
                replaceStream(by: try body.makeStream())
                read(attempt)
            } catch {
                end(attempt, error)
            }
        }
    }

    /// The length of the body, if it is known so far.
    var length: Int64? { count ?? state.withLock { $0.isEnded ? $0.total : nil } }

    /// Takes the bytes that have been read, and continues to read.
    func take() -> Portion {
        let (portion, attempt) = state.withLock { state -> (Portion, Int?) in
            if let failure = state.failure { return (.failed(failure), nil) }
            guard !state.chunks.isEmpty || state.isEnded else {
                state.isAwaited = true
                return (.later, nil)
            }
            defer {
                state.chunks = []
                state.queued = 0
            }
            let continues = !state.isReading && !state.isEnded
            if continues { state.isReading = true }
            return (.bytes(state.chunks, isLast: state.isEnded), continues ? state.attempt : nil)
        }
        if let attempt { queue.async { self.read(attempt) } }
        return portion
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        // A read that waits would hold the queue.
        stream.withLock { $0 }?.interruptRead()
        queue.async { self.replaceStream(by: nil) }
    }

    // MARK: On the queue

    private func replaceStream(by new: InputStream?) {
        new?.open()
        let old = stream.withLockUnchecked { stream in
            defer { stream = new }
            return stream
        }
        old?.close()
    }

    /// Reads until there is no room, or the stream ends.
    private func read(_ attempt: Int) {
        while let stream = stream.withLock({ $0 }), continueReading(attempt) {
            guard let chunk = Data(reading: stream, atMost: Self.portion) else {
                return end(attempt, EngineFailure(of: stream))
            }
            let length = chunk.count
            let isEnded = length == 0 || stream.streamStatus == .atEnd
            // After less than a full portion, the next read may block.
            let isReady = isEnded || length < Self.portion || !stream.hasBytesAvailable
            if keep(chunk, attempt, isEnded: isEnded, isReady: isReady) { onReady() }
        }
    }

    /// Returns whether to continue, and records it.
    private func continueReading(_ attempt: Int) -> Bool {
        state.withLock { state in
            guard state.attempt == attempt else { return false }
            state.isReading = !state.isCancelled && !state.isEnded && state.failure == nil && state.queued < Self.room
            return state.isReading
        }
    }

    /// Keeps a chunk. Returns whether to call `onReady`.
    private func keep(_ chunk: Data, _ attempt: Int, isEnded: Bool, isReady: Bool) -> Bool {
        state.withLock { state in
            guard state.attempt == attempt else { return false }
            if !chunk.isEmpty { state.chunks.append(chunk) }
            state.queued += chunk.count
            state.total += Int64(chunk.count)
            state.isEnded = isEnded
            if let count, isEnded ? state.total != count : state.total > count {
                state.failure = EngineFailure(reason: .bodyLength(declared: count, actual: state.total))
            }
            guard state.isAwaited, isReady || state.failure != nil || state.queued >= Self.room else { return false }
            state.isAwaited = false
            return true
        }
    }

    private func end(_ attempt: Int, _ failure: EngineFailure) {
        let isCurrent = state.withLock { state in
            guard state.attempt == attempt else { return false }
            state.isReading = false
            state.failure = failure
            return true
        }
        if isCurrent { onReady() }
    }
}

extension Data {
    /// Reads bytes from a stream into memory without zeroing it; nil if that fails.
    fileprivate init?(reading stream: InputStream, atMost count: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        let length = stream.read(bytes, maxLength: count)
        // A few bytes are copied, so that they do not keep the whole portion alive.
        guard length > count / 2 else {
            defer { bytes.deallocate() }
            guard length >= 0 else { return nil }
            self.init(bytes: bytes, count: length)
            return
        }
        self.init(bytesNoCopy: bytes, count: length, deallocator: .custom { bytes, _ in bytes.deallocate() })
    }
}
#endif
