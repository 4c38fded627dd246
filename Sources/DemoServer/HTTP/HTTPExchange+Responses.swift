import Foundation

extension HTTPExchange {
    /// Sends the response. `request` is nil where none could be read; `keepAlive` is what the client wants, and after
    /// the call what holds.
    func respond(_ response: ServerResponse, to request: ServerRequest?, keepAlive: inout Bool) throws {
        let isOld = request?.httpVersion == "1.0"
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        var isChunked = false
        if hasBody, case .stream = response.body {
            isChunked = !isOld
            keepAlive = keepAlive && isChunked
        }
        guard let head = head(response, hasBody: hasBody, isChunked: isChunked, isOld: isOld, keepAlive: keepAlive)
        else { throw HTTPFault(500, "The answer has a header that cannot be sent.") }
        let deadline = ContinuousClock.now + limits.responseTime
        guard hasBody, request?.method != "HEAD" else { return try connection.write(head.bytes, before: deadline) }
        switch response.body {
        case .data(let data): try connection.write(head.bytes + data, before: deadline)
        case .stream(let produce):
            try connection.write(head.bytes, before: deadline)
            try send(produce, inChunks: isChunked)
        case .sized(_, let produce):
            try connection.write(head.bytes, before: deadline)
            try send(produce, inChunks: false)
        }
    }

    private func head(
        _ response: ServerResponse,
        hasBody: Bool,
        isChunked: Bool,
        isOld: Bool,
        keepAlive: Bool
    ) -> ResponseHead? {
        var fields = response.headers
        for name in ["Date", "Server", "Connection", "Content-Length", "Transfer-Encoding"] { fields[name] = nil }
        fields.add("Date", date.text())
        fields.add("Server", "DemoServer")
        if hasBody {
            switch response.body {
            case .data(let data): fields.add("Content-Length", String(data.count))
            case .sized(let count, _): fields.add("Content-Length", String(count))
            case .stream: if isChunked { fields.add("Transfer-Encoding", "chunked") }
            }
        }
        if !keepAlive {
            fields.add("Connection", "close")
        } else if isOld {
            fields.add("Connection", "keep-alive")
        }
        return ResponseHead(status: response.status, fields: fields.fields)
    }

    private func send(
        _ produce: (_ write: (Data) throws -> Void) throws -> Void,
        inChunks: Bool
    ) throws {
        do {
            try produce { data in
                // A stream may go on for as long as its client takes it.
                let deadline = ContinuousClock.now + limits.responseTime
                // An empty chunk would end the body.
                guard !data.isEmpty else { return }
                guard inChunks else { return try connection.write(data, before: deadline) }
                let chunk = Array("\(String(data.count, radix: 16))\r\n".utf8) + data + Array("\r\n".utf8)
                try connection.write(chunk, before: deadline)
            }
            if inChunks { try connection.write("0\r\n\r\n", before: .now + limits.responseTime) }
        } catch {
            // The head is out: only a reset tells the client that this is not the whole body.
            connection.reset()
            throw SocketError.closed
        }
    }
}
