#if os(Linux) || os(Android)
import Dispatch
import Foundation
import Basics

/// Reads a file or a stream ahead of what has been sent, on a queue of its own, because reading may block.
final class BodyReader: Sendable {
    /// Bytes that are read ahead.
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
        /// The number of the attempt; a portion that was read for another one is dropped.
        var attempt = 0
    }

    /// The next portion of a body.
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
    private let onNews: @Sendable () -> Void

    /// - Parameters:
    ///   - body: A file or a stream.
    ///   - onNews: Called when there is something to take after there was nothing, and when something fails.
    init(_ body: HTTPBody, onNews: @escaping @Sendable () -> Void) {
        self.body = body
        self.onNews = onNews
        count = body.count
    }

    /// Begins to read, from the first byte on.
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

    /// The length of the body, if it is known by now.
    var length: Int64? { count ?? state.withLock { $0.isEnded ? $0.total : nil } }

    /// Takes the bytes that have been read, and reads on.
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
            let readsOn = !state.isReading && !state.isEnded
            if readsOn { state.isReading = true }
            return (.bytes(state.chunks, isLast: state.isEnded), readsOn ? state.attempt : nil)
        }
        if let attempt { queue.async { self.read(attempt) } }
        return portion
    }

    /// Reads no more, and closes the stream.
    func cancel() {
        state.withLock { $0.isCancelled = true }
        queue.async { self.replaceStream(by: nil) }
    }

    // MARK: On the queue

    private func replaceStream(by new: InputStream?) {
        new?.open()
        let old = stream.withLock { stream in
            defer { stream = new }
            return stream
        }
        old?.close()
    }

    /// Reads until there is no room, or no more.
    private func read(_ attempt: Int) {
        while let stream = stream.withLock({ $0 }), continueReading(attempt) {
            guard let chunk = Data(reading: stream, atMost: Self.portion) else {
                return end(attempt, EngineFailure(of: stream))
            }
            let length = chunk.count
            let isEnded = length == 0 || stream.streamStatus == .atEnd
            // Less than asked for: the next read may have to wait.
            let isReady = isEnded || length < Self.portion || !stream.hasBytesAvailable
            if keep(chunk, attempt, isEnded: isEnded, isReady: isReady) { onNews() }
        }
    }

    /// Notes whether it goes on to read, and says so.
    private func continueReading(_ attempt: Int) -> Bool {
        state.withLock { state in
            guard state.attempt == attempt else { return false }
            state.isReading = !state.isCancelled && !state.isEnded && state.failure == nil && state.queued < Self.room
            return state.isReading
        }
    }

    /// Keeps what has been read; says whether it is waited for.
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
        let isNews = state.withLock { state in
            guard state.attempt == attempt else { return false }
            state.isReading = false
            state.failure = failure
            return true
        }
        if isNews { onNews() }
    }
}

extension Data {
    /// Reads bytes from a stream; nil if that fails. The memory is not filled with zeros before.
    fileprivate init?(reading stream: InputStream, atMost count: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        let length = stream.read(bytes, maxLength: count)
        // The memory of a few bytes would be worth more than they are.
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
