import Basics
import DemoServer
package import Foundation

/// A server of one file, with parts and validators, which does wrong what it is told to, and keeps which bytes it has
/// sent.
package final class FileServer: Sendable {
    private struct State {
        var serving: FileServing
        var sent: [Range<Int>] = []
    }

    private let server: ScriptedServer
    private let state: Locked<State>

    package init(_ serving: FileServing) throws {
        let state = Locked(State(serving: serving))
        self.state = state
        server = try ScriptedServer { request, connection, _ in
            let serving = state.withLock { state in
                let serving = state.serving
                if let next = serving.next { state.serving = next() }
                return serving
            }
            let reply = serving.reply(to: request)
            try connection.write(reply.head)
            var (place, chunks) = (reply.range.lowerBound, 0)
            while place < reply.range.upperBound {
                let end = min(place + serving.chunk, reply.range.upperBound)
                let bytes = FileSample.bytes(place..<end, version: serving.version)
                if serving.hasLength {
                    try connection.write(bytes)
                } else {
                    try connection.write(Data("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Data("\r\n".utf8))
                }
                let piece = place..<end
                state.withLock { $0.sent.append(piece) }
                (place, chunks) = (end, chunks + 1)
                if serving.pause > 0 { usleep(serving.pause) }
            }
            if serving.waitsAt != nil { connection.waitForTheEnd() }
            if reply.breaksOff { return connection.close() }
            if !serving.hasLength { try connection.write("0\r\n\r\n") }
        }
    }

    package var url: URL { server.url("/file") }
    package var requests: [RawRequest] { server.requests }

    /// What was asked for each time; nil where it was the whole.
    package var ranges: [String?] { requests.map { $0["Range"] } }

    /// The pieces that it has sent.
    package var sent: [Range<Int>] { state.withLock { $0.sent } }

    /// How many bytes these are.
    package var sentBytes: Int { sent.reduce(0) { $0 + $1.count } }

    package var serving: FileServing { state.withLock { $0.serving } }

    package func change(_ change: (inout FileServing) -> Void) { state.withLock { change(&$0.serving) } }

    package func stop() { server.stop() }
}
