import Basics
import Foundation

extension HTTPConnection {
    /// Sends the response. `request` is `nil` if it could not be read. `keepsAlive` is what the client wants, and after
    /// the call what was sent.
    func respond(_ response: ServerResponse, to request: ServerRequest?, keepsAlive: inout Bool) throws {
        let isOld = request?.httpVersion == "1.0"
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        var isChunked = false
        if hasBody, case .stream = response.body {
            isChunked = !isOld
            keepsAlive = keepsAlive && isChunked
        }
        var fields = response.headers
        for name in ["Date", "Server", "Connection", "Content-Length", "Transfer-Encoding"] { fields[name] = nil }
        fields.add("Date", date.text())
        fields.add("Server", serverName)
        if hasBody {
            switch response.body {
            case .data(let data): fields.add("Content-Length", String(data.count))
            case .sized(let count, _): fields.add("Content-Length", String(count))
            case .switched: break
            case .stream: if isChunked { fields.add("Transfer-Encoding", "chunked") }
            }
        }
        if case .switched(let talk) = response.body {
            keepsAlive = false
            fields.add("Connection", "Upgrade")
            try connection.write(Self.head(response.status, fields.fields), before: .now + limits.responseTime)
            return try talk(connection)
        }
        if !keepsAlive {
            fields.add("Connection", "close")
        } else if isOld {
            fields.add("Connection", "keep-alive")
        }
        let head = try Self.head(response.status, fields.fields)
        let deadline = ContinuousClock.now + limits.responseTime
        guard hasBody, request?.method != "HEAD" else { return try connection.write(head, before: deadline) }
        if case .data(let data) = response.body { return try connection.write(head + data, before: deadline) }
        try connection.write(head, before: deadline)
        try send(response.body, inChunks: isChunked)
    }

    private func send(_ body: ServerResponse.Body, inChunks: Bool) throws {
        do {
            switch body {
            case .data, .switched: break
            case .stream(let produce), .sized(_, let produce):
                try produce { data in
                    // A new deadline for each piece: a stream has no time limit. An empty chunk would end the body.
                    let deadline = ContinuousClock.now + limits.responseTime
                    guard !data.isEmpty else { return }
                    guard inChunks else { return try connection.write(data, before: deadline) }
                    let chunk = Array("\(String(data.count, radix: 16))\r\n".utf8) + data + Array("\r\n".utf8)
                    try connection.write(chunk, before: deadline)
                }
            }
            if inChunks { try connection.write("0\r\n\r\n", before: .now + limits.responseTime) }
        } catch {
            // The head is sent, so only a reset tells the client that the body is incomplete.
            connection.reset()
            throw SocketError.closed
        }
    }

    /// The bytes of the status line and the fields. A control character could end a line early, so it is refused (RFC
    /// 9110, section 5.5).
    private static func head(_ status: Int, _ fields: [HTTPFields.Field]) throws -> [UInt8] {
        let areValid = fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(\.isToken)
                && field.value.utf8.allSatisfy(\.isFieldByte)
        }
        guard (100...999).contains(status), areValid else {
            throw HTTPError(500, "The response has a header that cannot be sent.")
        }
        let lines = ["HTTP/1.1 \(status) \(phrases[status] ?? "Status")"] + fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static let phrases = [
        100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
        422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]
}

/// The text of the `Date` field (RFC 9110, section 5.6.7), formatted once a second.
final class HTTPDate: Sendable {
    private let last = Locked((second: -1, text: ""))

    func text(for date: Date = Date()) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        let known = last.withLock { $0.second == second ? $0.text : nil }
        if let known { return known }
        let text = Self.format(second)
        last.withLock { $0 = (second, text) }
        return text
    }

    private static func format(_ second: Int) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1_900)"
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(days[Int(parts.tm_wday)]), \(day) \(clock) GMT"
    }
}
