package import DemoServer
package import Dispatch
import Foundation

/// One request of a behavior, and what its answer is made with.
package struct Scene: Sendable {
    /// The head of the request; its body is read only if the behavior says so.
    package let request: RawRequest
    package let connection: SocketConnection

    /// How many requests of the same run came before.
    package let number: Int

    /// Where the behavior is to be found, on this server.
    package let path: String
    package let port: UInt16

    package func write(_ text: String) throws { try connection.write(text) }

    /// Reads the rest of the request, and says how many bytes its body has.
    package func readBody() throws -> Int { try connection.readBody(of: request).body.count }

    /// Writes `text` again and again until the other side has gone or a minute is over.
    ///
    /// Behind the first megabytes there is a pause in each round: faster than any reader wants it is fast enough, and
    /// other tests need the processor too.
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

    /// Writes byte after byte, with a pause before each.
    package func drip(_ text: String, every pause: DispatchTimeInterval) throws {
        for byte in text.utf8 {
            Self.pass(pause)
            try connection.write([byte])
        }
    }

    /// Lets time go by on the thread of this connection.
    package static func pass(_ time: DispatchTimeInterval) {
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + time)
    }
}

/// What becomes of the connection when a behavior has done its part.
package enum Ending: Sendable {
    /// It is kept for the next request, in silence until that comes.
    case keep
    /// It is closed.
    case close
    /// It is reset.
    case reset
}
