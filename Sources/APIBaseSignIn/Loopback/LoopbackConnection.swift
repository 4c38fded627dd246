import Basics
import Dispatch

/// A connection whose first head is read. It is used on one queue.
final class LoopbackConnection: Sendable {
    /// Gets the head, or nil if there is none.
    typealias Receiver = @Sendable (LoopbackConnection, String?) -> Void

    /// More bytes are no head.
    private static let limit = 32 << 10

    let number: Int32
    private let source: UncheckedSendable<any DispatchSourceRead>
    private let bytes = Locked<[UInt8]>([])
    private let isStarted = Locked(false)
    private let receiver: Receiver

    /// Takes over a connected socket.
    init(_ number: Int32, on queue: DispatchQueue, _ receiver: @escaping Receiver) {
        (self.number, self.receiver) = (number, receiver)
        let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        // The descriptor must stay open until the source has let go of it.
        source.setCancelHandler { LoopbackSocket.close(number) }
        // A dispatch source may be used from any thread.
        self.source = UncheckedSendable(source)
    }

    func start() {
        source.value.setEventHandler { [weak self] in self?.read() }
        resume()
    }

    /// Closes the socket. Does nothing the second time.
    func close() {
        source.value.cancel()
        resume()
    }

    /// A source that is released must have been resumed.
    private func resume() {
        let isFirst = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return !isStarted
        }
        if isFirst { source.value.resume() }
    }

    /// Sends a short answer, as far as the system takes it at once.
    func send(_ answer: String) { LoopbackSocket.send(Array(answer.utf8), to: number) }

    private func read() {
        guard !source.value.isCancelled, let new = LoopbackSocket.receive(from: number) else { return }
        let bytes = bytes.withLock { bytes in
            bytes += new
            return bytes
        }
        let head = String(decoding: bytes, as: UTF8.self)
        if head.contains("\r\n\r\n") {
            receiver(self, head)
        } else if new.isEmpty || bytes.count > Self.limit {
            receiver(self, nil)
        }
    }
}
