import APIBaseStubs
import Basics
import Foundation
import HTTPTransport

/// Records one hop as an entry of a recording.
struct EntryRecorder: HopWatcher {
    private let store: RecordingStore
    private let request: HAR.Request
    private let isRequestWhole: Bool
    private let secretHeaders: Set<String>
    private let slot: Int
    private let date = Date()
    private let start = ContinuousClock.now
    private var headTime: Duration?
    private var head: ResponseHead?
    private var body = Data()
    /// The switch to a socket, if the request asks for one.
    private let upgrade: ConnectionUpgrade?
    private var socket: Locked<SocketRecord>?

    private struct SocketRecord {
        var messages: [HAR.WebSocketMessage] = []
        /// The time of the whole exchange, once it has ended.
        var time: Duration?
    }

    /// Reserves the place of the entry, after the hops that have begun before.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isWhole: False if its body is left out.
    ///   - secretHeaders: Additional names of headers that the request declares secret.
    ///   - upgrade: The switch to a socket, if the request asks for one.
    ///   - store: The place of the entry.
    init(
        _ request: HAR.Request,
        isWhole: Bool = true,
        secretHeaders: Set<String>,
        upgrade: ConnectionUpgrade?,
        in store: RecordingStore
    ) {
        (self.request, isRequestWhole, self.upgrade) = (request, isWhole, upgrade)
        self.secretHeaders = secretHeaders
        self.store = store
        slot = store.reserveSlot()
    }

    mutating func received(_ head: ResponseHead) {
        self.head = head
        headTime = ContinuousClock.now - start
        guard head.statusCode == 101, let upgrade else { return }
        let socket = Locked(SocketRecord())
        upgrade.watch { message, isSent in
            let message = HAR.WebSocketMessage(message, isSent: isSent)
            socket.withLock { $0.messages.append(message) }
        }
        self.socket = socket
        store.beforeSave { [self] in
            let record = socket.withLock { $0 }
            insert(after: record.time ?? ContinuousClock.now - start, messages: record.messages)
        }
    }

    /// After a switch, the bytes are frames.
    mutating func received(_ data: Data) { if socket == nil { body.append(data) } }

    /// The messages of a socket may be read after this.
    func finish(isWhole: Bool) {
        let time = ContinuousClock.now - start
        if let socket { return socket.withLock { $0.time = time } }
        insert(after: time, isWhole: isWhole)
    }

    private func insert(after time: Duration, isWhole: Bool = true, messages: [HAR.WebSocketMessage]? = nil) {
        guard let head else { return }
        var entry = HAR.Entry(request, head, body: body, started: date, wait: headTime ?? time, time: time)
        entry.messages = messages
        if !isWhole { entry.comment = "The response was not read to its end." }
        entry.leaveOutCodedBodies(ofRequest: !isRequestWhole, ofResponse: head.mayStillCode(body))
        store.insert(entry, at: slot, secretHeaders: secretHeaders)
    }
}
