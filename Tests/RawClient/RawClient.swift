import Foundation
package import LoopbackServer

/// A client that sends raw bytes, and parses responses.
package struct RawClient {
    package let connection: SocketConnection

    package init(_ port: UInt16) throws {
        connection = try SocketConnection(connectingTo: port)
    }

    package init(_ server: HTTPServer) throws { try self.init(server.port) }

    package func send(_ text: String) throws { try connection.write(text) }

    /// The next response with its body. A response to HEAD has no body.
    package func response(toHead: Bool = false) throws -> RawResponse {
        let head = try connection.read(until: Array("\r\n\r\n".utf8))
        var response = RawResponse(head: String(decoding: head, as: UTF8.self))
        guard !toHead, response.status >= 200, response.status != 204, response.status != 304 else { return response }
        if response["Transfer-Encoding"] == "chunked" {
            response.body = try chunkedBody()
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try connection.read(exactly: length)
        } else {
            response.body = try connection.readToEnd()
        }
        return response
    }

    /// Sends a request, and reads one response.
    package func exchange(_ text: String) throws -> RawResponse {
        try send(text)
        return try response()
    }

    /// Whether the server ends the stream within the time, without more bytes.
    package func isEnded(within limit: Duration = .seconds(60)) -> Bool {
        do {
            return try connection.read(before: .now + limit).isEmpty
        } catch SocketError.timedOut {
            return false
        } catch {
            return true
        }
    }

    private func chunkedBody() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try connection.read(until: Array("\r\n".utf8))
            let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
            body += try connection.read(exactly: size)
            _ = try connection.read(exactly: 2)
            if size == 0 { return body }
        }
    }
}

/// A raw response.
package struct RawResponse {
    package let head: String
    package var body: [UInt8] = []

    package var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    package var text: String { String(decoding: body, as: UTF8.self) }

    package subscript(name: String) -> String? {
        for line in head.components(separatedBy: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    /// The body as JSON.
    package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}

/// The body of an error.
package struct Refusal: Decodable {
    package let error: Bool
    package let reason: String
}
