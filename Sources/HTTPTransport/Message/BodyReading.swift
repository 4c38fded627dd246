import Basics
import Foundation

/// The reading of one body, which another thread may cancel, also while a read waits for bytes.
package final class BodyReading: Sendable {
    private struct State {
        var isCancelled = false
        var stream: InputStream?
    }

    private let state = Locked(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    package func cancel() {
        let stream = state.withLockUnchecked { state in
            state.isCancelled = true
            return state.stream
        }
        stream?.interruptRead()
    }

    /// Opens a stream and runs `read`, whose waiting read a cancellation ends.
    func reading<Failure>(_ stream: InputStream, _ read: () throws(Failure) -> Void) throws(Failure) {
        stream.open()
        let isCancelled = state.withLockUnchecked { state in
            state.stream = stream
            return state.isCancelled
        }
        if isCancelled { stream.interruptRead() }
        defer {
            state.withLockUnchecked { $0.stream = nil }
            stream.close()
        }
        try read()
    }
}

/// A stream of this module, whose blocked read can be ended from another thread.
class InterruptibleStream: InputStream {
    final var status = Status.notOpen
    final var failure: (any Error)?

    override final var streamStatus: Status { status }
    override final var streamError: (any Error)? { failure }

    override final func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    /// Ends the read that waits, and all that follow.
    func interrupt() {}
}

extension InputStream {
    /// Ends a read that waits, if the stream can.
    func interruptRead() { (self as? InterruptibleStream)?.interrupt() }
}
