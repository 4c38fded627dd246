import LoopbackServer
import Foundation

/// A request as it was received.
package struct RawRequest: Sendable {
    package let head: String
    package var body: [UInt8] = []

    package var requestLine: String { head.prefix { $0 != "\r\n" }.description }
    package var method: String { requestLine.split(separator: " ").first.map(String.init) ?? "" }
    package var target: String { requestLine.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    /// The value of `Content-Length`.
    package var declaredLength: Int { self["Content-Length"].flatMap { Int($0) } ?? 0 }

    /// The values of all fields with this name, compared without case.
    package func values(_ name: String) -> [String] {
        head.split(separator: "\r\n").dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
    }

    package subscript(name: String) -> String? { values(name).first }
}

extension SocketConnection {
    /// The head of the next request; its body stays unread.
    package func readHead() throws -> RawRequest {
        // Longer than a busy machine keeps a client from its next request.
        let head = try read(until: Array("\r\n\r\n".utf8), before: .now + .seconds(120))
        return RawRequest(head: String(decoding: head, as: UTF8.self))
    }

    /// The request with its whole body.
    package func readBody(of head: RawRequest) throws -> RawRequest {
        var request = head
        if request.declaredLength > 0 {
            if request["Expect"] != nil { try write("HTTP/1.1 100 Continue\r\n\r\n") }
            request.body = try read(exactly: request.declaredLength, before: .now + .seconds(120))
        } else if request["Transfer-Encoding"] == "chunked" {
            while case let chunk = try readChunk(), !chunk.isEmpty { request.body += chunk }
        }
        return request
    }

    /// The next chunk (RFC 9112, section 7.1); empty at the end.
    package func readChunk() throws -> [UInt8] {
        let line = try read(until: Array("\r\n".utf8), before: .now + .seconds(120))
        let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
        return try Array(read(exactly: count + 2, before: .now + .seconds(120)).dropLast(2))
    }

    /// Waits until the other side has gone, or the server is stopped.
    package func waitForTheEnd() {
        while let bytes = try? read(before: .now + .seconds(600)), !bytes.isEmpty {}
    }
}
