import Basics
package import Foundation
import LoopbackServer

/// A server of one file, with ranges, validators and configurable errors, which records the bytes that it sends.
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

    /// The requested ranges; `nil` for the whole file.
    package var ranges: [String?] { requests.map { $0["Range"] } }

    /// The ranges that were sent.
    package var sent: [Range<Int>] { state.withLock { $0.sent } }

    /// The number of bytes sent.
    package var sentBytes: Int { sent.reduce(0) { $0 + $1.count } }

    package var serving: FileServing { state.withLock { $0.serving } }

    package func change(_ change: (inout FileServing) -> Void) { state.withLock { change(&$0.serving) } }

    package func stop() { server.stop() }
}

/// The configuration of a ``FileServer``.
package struct FileServing: Sendable {
    /// The length of the file.
    package var count: Int
    package var version = 1
    /// The `ETag`, where `*` stands for the version.
    package var tag: String? = "\"v*\""
    /// The `Last-Modified`, and the `Date` of responses.
    package var modified: String?
    package var date = "Sun, 06 Nov 1994 08:49:37 GMT"
    package var knowsRanges = true
    package var heedsIfRange = true
    /// Whether responses have a length. Otherwise they are chunked.
    package var hasLength = true
    /// The `Content-Range` of a part, from its first byte and the length of the file.
    package var contentRange: @Sendable (Int, Int) -> String = { "bytes \($0)-\($1 - 1)/\($1)" }
    /// More header fields, depending on whether the response is a part.
    package var fields: @Sendable (_ isPart: Bool) -> [String] = { _ in [] }
    /// The stated length, from the real one.
    package var length: @Sendable (Int) -> Int = { $0 }
    /// The last byte of the file that is sent before the connection is closed.
    package var breaksOffAt: Int?
    /// The same, relative to the start of the response.
    package var breaksOffAfter: Int?
    /// The last byte that is sent before the server waits for the client to close.
    package var waitsAt: Int?
    /// Whether the connection is closed after each response.
    package var closes = false
    /// The status of all responses.
    package var status: String?
    package var chunk = 16 << 10
    /// Microseconds after each chunk.
    package var pause: UInt32 = 0
    /// The configuration from the next request on.
    package var next: (@Sendable () -> FileServing)?

    package init(count: Int) {
        self.count = count
    }

    /// A changed copy.
    package func with(_ change: (inout FileServing) -> Void) -> FileServing {
        var serving = self
        change(&serving)
        return serving
    }

    /// The `Repr-Digest` of a file.
    package static func digest(_ base64: String) -> String { "Repr-Digest: sha-256=:\(base64):" }

    /// A response: its head, the range of the file, and whether it is cut short.
    struct Reply {
        var head: String
        var range: Range<Int>
        var breaksOff: Bool
    }

    private var currentTag: String? { tag?.replacingOccurrences(of: "*", with: "\(version)") }

    func reply(to request: RawRequest) -> Reply {
        let first = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        var start = knowsRanges ? first : nil
        if heedsIfRange, let condition = request["If-Range"], condition != (currentTag ?? modified) { start = nil }
        var lines = ["Date: \(date)"]
        if let currentTag { lines.append("ETag: \(currentTag)") }
        if let modified { lines.append("Last-Modified: \(modified)") }
        var range = (start ?? 0)..<max(count, start ?? 0)
        var line = status ?? (start == nil ? "200 OK" : "206 Partial Content")
        if start.map({ $0 >= count }) == true {
            line = "416 Range Not Satisfiable"
            lines.append("Content-Range: bytes */\(count)")
            range = 0..<0
        } else if let start {
            lines.append("Content-Range: \(contentRange(start, count))")
        }
        lines += fields(start != nil)
        lines.append(hasLength ? "Content-Length: \(length(range.count))" : "Transfer-Encoding: chunked")
        let end = min(breaksOffAt ?? waitsAt ?? .max, breaksOffAfter.map { range.lowerBound + $0 } ?? .max)
        let isShort = end < range.upperBound
        let breaksOff = isShort || closes
        if isShort { range = range.lowerBound..<max(range.lowerBound, end) }
        let head = (["HTTP/1.1 \(line)"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return Reply(head: head, range: range, breaksOff: breaksOff)
    }
}
