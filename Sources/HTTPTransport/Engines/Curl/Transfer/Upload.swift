#if os(Linux) || os(Android)
import CCurl
import Foundation

/// The request's body on its way to libcurl. Belongs to the leader of the event loop, the thread
/// that works with libcurl at present.
struct Upload {
    /// Bytes that are passed on at a time, and the level below which more are.
    private static let portion = 256 << 10
    private static let low = 64 << 10

    private enum Source {
        case none
        case memory(Data)
        case reader(BodyReader)
        case upgrade(ConnectionUpgrade)
    }

    private let source: Source
    private var taken = 0
    private var isSwitched = false

    private(set) var length: Int64?

    /// - Parameters:
    ///   - request: The request with the body, or with what is sent after a switch.
    ///   - onReady: Called from any thread when there is something to send after there was nothing.
    init(of request: CurlRequest, onReady: @escaping @Sendable () -> Void) {
        if let upgrade = request.upgrade {
            source = .upgrade(upgrade)
            upgrade.begin(wake: onReady)
            return
        }
        switch request.body.content {
        case .none:
            source = .none
            length = 0
        case .data(let data):
            source = data.isEmpty ? .none : .memory(data)
            length = Int64(data.count)
        case .file, .stream, .once, .joined, .encoded, .compressed, .failed:
            let reader = BodyReader(request.body, onReady: onReady)
            source = .reader(reader)
            length = reader.length
        }
    }

    /// Whether the body has to be read before the request can begin.
    var needsReading: Bool {
        if case .reader = source { return true }
        return false
    }

    func start() {
        if case .reader(let reader) = source { reader.start() }
    }

    func cancel() {
        switch source {
        case .none, .memory: break
        case .reader(let reader): reader.cancel()
        case .upgrade(let upgrade): if isSwitched { upgrade.end() }
        }
    }

    /// The framing of the body at the beginning of the request.
    mutating func framing(_ method: HTTPMethod) -> CurlFraming {
        if case .upgrade = source { return .switched }
        if case .reader(let reader) = source { length = reader.length }
        guard length != 0 else { return method.expectsBody ? .empty : .none }
        return .body(length: length)
    }

    /// Passes on bytes while there is room. Returns the failure of a body that cannot be read.
    mutating func advance(_ state: UnsafeMutablePointer<ccurl_transfer>) -> EngineFailure? {
        if state.pointee.was_rewound {
            state.pointee.was_rewound = false
            taken = 0
            start()
        }
        guard !state.pointee.feed_ended, state.pointee.feed.count - state.pointee.feed_taken < Self.low else {
            return nil
        }
        switch source {
        case .none: break
        case .memory(let data): feed(data, to: state)
        case .reader(let reader):
            switch reader.take() {
            case .later: break
            case .failed(let failure): return failure
            case .bytes(let chunks, let isLast):
                for chunk in chunks { Self.append(chunk, to: state) }
                state.pointee.feed_ended = isLast
            }
        case .upgrade(let upgrade):
            let hasHead = state.pointee.has_head
            isSwitched = hasHead && state.pointee.status == 101
            // After a refusal, and after the end of the other side, there is nothing to send.
            state.pointee.feed_ended = hasHead && !isSwitched || ccurl_transfer_has_hung_up(state)
            if isSwitched, !state.pointee.feed_ended { upgrade.take { Self.append($0, to: state) } }
        }
        return nil
    }

    private mutating func feed(_ data: Data, to state: UnsafeMutablePointer<ccurl_transfer>) {
        let start = data.startIndex + taken
        let end = min(start + Self.portion, data.endIndex)
        Self.append(data[start..<end], to: state)
        taken += end - start
        state.pointee.feed_ended = end == data.endIndex
    }

    private static func append(_ data: Data, to state: UnsafeMutablePointer<ccurl_transfer>) {
        data.withUnsafeBytes { append($0, to: state) }
    }

    private static func append(_ bytes: UnsafeRawBufferPointer, to state: UnsafeMutablePointer<ccurl_transfer>) {
        let isKept = bytes.isEmpty || ccurl_transfer_feed(state, bytes.baseAddress, bytes.count)
        if !isKept { state.pointee.fault = CCURL_FAULT_MEMORY }
    }

    func isUnfinished(_ state: UnsafeMutablePointer<ccurl_transfer>) -> Bool {
        length.map { state.pointee.feed_total < $0 } ?? !state.pointee.feed_ended
    }
}
#endif
