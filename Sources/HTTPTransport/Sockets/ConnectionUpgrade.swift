import Basics

/// A request to switch the connection of an exchange to another protocol (RFC 9110, section 7.8), and what is sent on
/// it afterwards.
///
/// The exchange is an ordinary one: a server that refuses answers as to any request. After a 101, the body of the
/// response is what arrives on the connection, until that ends; the exchange has no limits of time and of bytes any
/// more. Bytes that are sent before the 101 wait for it.
package final class ConnectionUpgrade: Sendable {
    private struct State {
        /// The bytes that wait for the connection; those before `taken` have left.
        var bytes: [UInt8] = [], taken = 0
        var unsent: Int { bytes.count - taken }
        /// Has the engine take bytes; nil before it has begun, and after its end.
        var wake: (@Sendable () -> Void)?
        var isAwaited = false
        var isOver = false
        /// The calls that wait until there is room.
        var waiting: [@Sendable () -> Void] = []
        var channel: (any SocketChannel)?
        var watchers: [Watcher] = []
    }

    /// Gets each message, in the order of its direction.
    package typealias Watcher = @Sendable (SocketMessage, _ isSent: Bool) -> Void

    /// The bytes that wait for the connection at most, before ``room(then:)`` waits.
    private static let most = 256 << 10
    /// The bytes that the engine takes at a time, so that ``unsent`` tells what is still leaving.
    private static let portion = 64 << 10

    /// The header fields that ask for the switch, which a request cannot have otherwise.
    package let headers: HTTPHeaders
    /// The bytes of a message that an engine with a ``channel`` accepts.
    let messageLimit: Int
    private let state = Locked(State())

    package init(headers: HTTPHeaders, messageLimit: Int = .max) {
        (self.headers, self.messageLimit) = (headers, messageLimit)
    }

    /// The messages of an engine, or of stubs, that reads and writes whole messages; nil for bytes.
    package var channel: (any SocketChannel)? { state.withLock { $0.channel } }

    /// Switches to a connection of whole messages. To be called before the head of the response is reported.
    package func fulfill(with channel: any SocketChannel) { state.withLock { $0.channel = channel } }

    /// Adds a watcher of the messages. It must return soon.
    package func watch(_ watcher: @escaping Watcher) { state.withLock { $0.watchers.append(watcher) } }

    /// Tells the watchers of messages.
    package func note(_ messages: [SocketMessage], areSent: Bool) {
        for watcher in state.withLock({ $0.watchers }) { for message in messages { watcher(message, areSent) } }
    }

    /// Sends bytes after those that have been sent before. Without a connection any more they are dropped.
    package func send(_ bytes: [UInt8]) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver else { return nil }
            state.bytes += bytes
            defer { state.isAwaited = false }
            return state.isAwaited ? state.wake : nil
        }
        wake?()
    }

    /// The number of bytes that wait for the connection; 0 after its end.
    package var unsent: Int { state.withLock { $0.unsent } }

    /// Whether few bytes wait for the connection, or it has ended.
    package var hasRoom: Bool { unsent <= Self.most }

    /// Calls `then` as soon as few bytes wait for the connection, or it has ended: perhaps at once.
    package func room(then: @escaping @Sendable () -> Void) {
        let waits = state.withLock { state in
            let waits = !state.isOver && state.unsent > Self.most
            if waits { state.waiting.append(then) }
            return waits
        }
        if !waits { then() }
    }
}

// MARK: For the engine

extension ConnectionUpgrade {
    /// A hop begins. `wake` is called when there is something to take after there was nothing.
    func begin(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Passes on the bytes to send, if there are any.
    func take(_ body: (UnsafeRawBufferPointer) -> Void) {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            let portion = state.bytes[state.taken...].prefix(Self.portion)
            state.isAwaited = portion.isEmpty
            portion.withUnsafeBytes(body)
            state.taken += portion.count
            if state.unsent == 0 {
                state.bytes.removeAll(keepingCapacity: state.bytes.count <= Self.most)
                state.taken = 0
            } else if state.taken > state.unsent {
                state.bytes.removeFirst(state.taken)
                state.taken = 0
            }
            guard state.unsent <= Self.most else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for then in waiting { then() }
    }

    /// Nothing is sent any more.
    package func end() {
        let waiting = state.withLock { state in
            defer { state = State(isOver: true, channel: state.channel, watchers: state.watchers) }
            return state.waiting
        }
        for then in waiting { then() }
    }
}
