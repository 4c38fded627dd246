import APIBaseStubs
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
    }

    mutating func received(_ data: Data) { body.append(data) }

    func finish(isWhole: Bool) {
        guard let head else { return }
        let time = ContinuousClock.now - start
        var entry = HAR.Entry(request, head, body: body, started: date, wait: headTime ?? time, time: time)
        if !isWhole { entry.comment = "The response was not read to its end." }
        entry.leaveOutCodedBodies(ofRequest: !isRequestWhole, ofResponse: head.mayStillCode(body))
        store.insert(entry, at: slot, secretHeaders: secretHeaders)
    }
}
