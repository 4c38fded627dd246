package import LoopbackServer
package import Dispatch
import Foundation

/// One request to a behavior, and the means to answer it.
package struct Scene: Sendable {
    /// The head of the request. The body is read only if the behavior asks for it.
    package let request: RawRequest
    package let connection: SocketConnection

    /// The number of earlier requests of the same run.
    package let number: Int

    /// The path of the behavior.
    package let path: String
    package let port: UInt16

    /// Signaled when the client has an outcome.
    let outcome: DispatchSemaphore

    package func write(_ text: String) throws { try connection.write(text) }

    /// Reads the body of the request, and returns its size.
    package func readBody() throws -> Int { try connection.readBody(of: request).body.count }

    /// Writes `text` repeatedly, until the client closes or a minute is over.
    ///
    /// After the first megabytes, each round has a pause: that is faster than any reader needs, and
    /// other tests need the processor, too.
    package func writeForever(_ text: String) throws {
        let bytes = Array(text.utf8)
        let end = ContinuousClock.now + .seconds(60)
        var count = 0
        while ContinuousClock.now < end {
            try connection.write(bytes)
            count += bytes.count
            if count > 4 << 20 { Self.pass(.milliseconds(1)) }
        }
    }

    /// Writes single bytes, with a pause before each.
    package func drip(_ text: String, every pause: DispatchTimeInterval) throws {
        for byte in text.utf8 {
            Self.pass(pause)
            try connection.write([byte])
        }
    }

    /// Waits until the client has the outcome of the behavior, at most so long. Returns whether it has.
    @discardableResult
    package func waitForOutcome(atMost time: DispatchTimeInterval = .seconds(120)) -> Bool {
        guard outcome.wait(timeout: .now() + time) == .success else { return false }
        // For whoever else waits.
        outcome.signal()
        return true
    }

    /// Sleeps on the thread of this connection.
    package static func pass(_ time: DispatchTimeInterval) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + time)
    }
}

/// The end of the connection after a behavior.
package enum Ending: Sendable {
    /// The connection stays open for the next request.
    case keep
    /// The connection is closed.
    case close
    /// The connection is reset.
    case reset
}
