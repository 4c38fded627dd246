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
    var upgrade: ConnectionUpgrade?
    private var isSocket: Bool { upgrade != nil && head?.statusCode == 101 }

    /// Reserves the place of the entry, after the hops that have begun before.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isWhole: False if its body is left out.
    ///   - secretHeaders: Additional names of headers that the request declares secret.
    ///   - store: The place of the entry.
    init(_ request: HAR.Request, isWhole: Bool = true, secretHeaders: Set<String>, in store: RecordingStore) {
        (self.request, isRequestWhole) = (request, isWhole)
        self.secretHeaders = secretHeaders
        self.store = store
        slot = store.reserveSlot()
    }

    mutating func received(_ head: ResponseHead) {
        self.head = head
        headTime = ContinuousClock.now - start
        if isSocket, let upgrade { follow(upgrade, after: head) }
    }

    /// Has an entry made of the messages so far whenever the file is written, since a program may read some after the
    /// exchange has ended.
    private func follow(_ upgrade: ConnectionUpgrade, after head: ResponseHead) {
        let (entry, messages) = (entry(head, after: ContinuousClock.now - start), Locked([HAR.WebSocketMessage]()))
        upgrade.watch { message, isSent in
            let message = HAR.WebSocketMessage(message, isSent: isSent)
            messages.withLock { $0.append(message) }
        }
        store.beforeSave { [slot, secretHeaders] store in
            var entry = entry
            entry.messages = messages.withLock { $0 }
            store.insert(entry, at: slot, secretHeaders: secretHeaders)
        }
    }

    /// After a switch, the bytes are frames.
    mutating func received(_ data: Data) { if !isSocket { body.append(data) } }

    func finish(isWhole: Bool) {
        guard let head, !isSocket else { return }
        var entry = entry(head, after: ContinuousClock.now - start)
        if !isWhole { entry.comment = "The response was not read to its end." }
        entry.leaveOutCodedBodies(ofRequest: !isRequestWhole, ofResponse: head.mayStillCode(body))
        store.insert(entry, at: slot, secretHeaders: secretHeaders)
    }

    private func entry(_ head: ResponseHead, after time: Duration) -> HAR.Entry {
        HAR.Entry(request, head, body: body, started: date, wait: headTime ?? time, time: time)
    }
}
