import Basics
import Foundation

/// Serves the requests of one connection, one after the other.
struct HTTPConnection {
    let connection: SocketConnection
    let limits: HTTPLimits
    let serverName: String
    let date: HTTPDate
    let handler: HTTPServer.Handler

    /// Serves until the client or a limit ends the connection.
    func run() {
        var keepsAlive = true
        while keepsAlive {
            do {
                guard let request = try nextRequest() else { return }
                keepsAlive = request.keepsAlive
                try respond(handler(request), to: request, keepsAlive: &keepsAlive)
            } catch let error as HTTPError {
                keepsAlive = false
                guard (try? respond(error.response, to: nil, keepsAlive: &keepsAlive)) != nil else { return }
            } catch {
                return
            }
        }
        linger()
    }

    /// Ends the stream and discards what the client still sends. To close a connection with unread bytes would reset
    /// it, which may destroy the response (RFC 9112, section 9.6).
    private func linger() {
        connection.finishWriting()
        let deadline = ContinuousClock.now + limits.lingerTime
        while let bytes = try? connection.read(before: deadline), !bytes.isEmpty, .now < deadline {}
    }

    private func nextRequest() throws -> ServerRequest? {
        guard let (head, rawHead) = try nextHead() else { return nil }
        let framing = try RequestFraming(head, limits: limits)
        try checkExpectation(head, framing)
        let body = try body(framing)
        return ServerRequest(
            method: head.method,
            target: head.target,
            path: head.parsedTarget.path,
            pathSegments: head.parsedTarget.segments,
            query: head.parsedTarget.query,
            host: head.parsedTarget.authority ?? head.fields["Host"],
            headers: head.fields,
            body: Data(body),
            httpVersion: head.version,
            rawHead: Data(rawHead)
        )
    }

    private func nextHead() throws -> (RequestHead, [UInt8])? {
        var bytes = try firstBytes()
        guard !bytes.isEmpty else { return nil }
        let deadline = ContinuousClock.now + limits.headTime
        var scanner = RequestHeadScanner(limits: limits)
        while true {
            if let length = try scanner.headLength(in: bytes) {
                connection.unread(bytes[length...])
                bytes.removeSubrange(length...)
                return (try RequestHead(bytes), bytes)
            }
            do {
                let more = try connection.read(before: deadline)
                guard !more.isEmpty else { throw SocketError.endedEarly(received: bytes.count) }
                bytes += more
            } catch SocketError.timedOut {
                throw HTTPError(408, "The request head did not arrive in time.")
            }
        }
    }

    /// The first bytes after the last request, without the empty line that old clients send after a body (RFC 9112,
    /// section 2.2).
    private func firstBytes() throws -> [UInt8] {
        let deadline = ContinuousClock.now + limits.idleTime
        var bytes = try connection.read(before: deadline)
        if bytes == [0x0D] { bytes += try connection.read(before: deadline) }
        guard bytes.starts(with: [0x0D, 0x0A]) else { return bytes }
        bytes.removeFirst(2)
        return bytes.isEmpty ? try connection.read(before: deadline) : bytes
    }

    /// Answers `Expect: 100-continue` (RFC 9110, section 10.1.1).
    private func checkExpectation(_ head: RequestHead, _ framing: RequestFraming) throws {
        guard head.version == "1.1", let expectation = head.fields["Expect"] else { return }
        guard expectation.equalsIgnoringCase("100-continue"), head.fields.values(for: "Expect").count == 1 else {
            throw HTTPError(417, "The only supported expectation is \"100-continue\".")
        }
        guard framing != .none else { return }
        try connection.write("HTTP/1.1 100 Continue\r\n\r\n", before: .now + limits.responseTime)
    }

    private func body(_ framing: RequestFraming) throws -> [UInt8] {
        let deadline = ContinuousClock.now + limits.bodyTime
        do {
            switch framing {
            case .none: return []
            case .length(let count): return try connection.read(exactly: count, before: deadline)
            case .chunked: return try chunkedBody(before: deadline)
            }
        } catch SocketError.timedOut {
            throw HTTPError(408, "The body did not arrive in time.")
        }
    }

    private func chunkedBody(before deadline: ContinuousClock.Instant) throws -> [UInt8] {
        var decoder = ChunkedDecoder(limits: limits)
        while true {
            let bytes = try connection.read(before: deadline)
            guard !bytes.isEmpty else { throw SocketError.endedEarly(received: decoder.body.count) }
            if let rest = try decoder.consume(bytes) {
                connection.unread(rest)
                return decoder.body
            }
            guard .now < deadline else { throw SocketError.timedOut }
        }
    }
}
