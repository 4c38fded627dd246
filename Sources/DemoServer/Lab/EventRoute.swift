import Foundation

/// An event stream that is taken up where it was left (HTML standard, section 9.2).
///
/// `?count=20` numbered events, `?every=500` milliseconds apart; `?perConnection=5` ends the connection after so many, and
/// `?retry=1000` has clients come back after so many milliseconds. Behind the last event there is 204, which tells them not to.
enum EventRoute {
    static func response(to request: ServerRequest) throws(HTTPFault) -> ServerResponse {
        let count = try request.number("count", in: 0...1_000_000, default: 20)
        let pause = try request.number("every", in: 0...60_000, default: 500)
        let size = try request.number("perConnection", in: 1...1_000_000, default: 1_000_000)
        let retry = try request.number("retry", in: 0...60_000, default: 1_000)
        let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
        guard last < count else { return ServerResponse(status: 204) }
        let events = (max(0, last) + 1)...min(count, max(0, last) + size)
        let headers: HTTPFields = HTTPFields(["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
        return ServerResponse(
            headers: headers,
            body: .stream { write in
                try write(Data(": \(count) events\nretry: \(retry)\n\n".utf8))
                for event in events {
                    if event > events.lowerBound { Thread.sleep(forTimeInterval: Double(pause) / 1_000) }
                    try write(Data("id: \(event)\nevent: tick\ndata: {\"number\":\(event),\"of\":\(count)}\n\n".utf8))
                }
            }
        )
    }
}
