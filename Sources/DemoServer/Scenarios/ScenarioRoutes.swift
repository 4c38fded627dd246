import Basics
import Foundation
import LoopbackServer

/// Scenarios for clients: events, files, uploads and failures.
struct ScenarioRoutes: Sendable {
    private let failures = Locked<[String: Int]>([:])

    func add(to router: inout Router, under prefix: String) {
        router.on("GET", "\(prefix)/events") { request, _ in try Self.events(request) }
        router.on("GET", "\(prefix)/files/:name") { request, parameters in
            try GeneratedFile(parameters["name"], request).response(to: request)
        }
        for method in ["PUT", "POST"] {
            router.on(method, "\(prefix)/uploads/:name") { request, parameters in
                Self.received(request, as: parameters["name"])
            }
        }
        router.on("GET", "\(prefix)/status/:code") { request, parameters in
            try failure(request, parameters)
        }
    }

    private static func received(_ request: ServerRequest, as name: String) -> ServerResponse {
        let json: JSONValue = [
            "name": .string(name), "type": .string(request.headers["Content-Type"] ?? ""),
            "bytes": .int(request.body.count),
        ]
        return .json(json, status: 201)
    }

    /// Any status. With `?times=2`, the first two requests with the same `?id=` get it, and the next one 200.
    /// `?retryAfter=3` sets `Retry-After`.
    private func failure(_ request: ServerRequest, _ parameters: RouteParameters) throws -> ServerResponse {
        guard let code = parameters.number("code"), (200...599).contains(code) else {
            throw HTTPError(404, "\"\(parameters["code"])\" is not a valid status.")
        }
        let times = try request.number("times", in: 0...1_000_000, default: 1_000_000)
        let id = "\(code) \(request.queryValue("id") ?? "")"
        let isOver = failures.withLock { failures in
            let count = failures[id, default: 0]
            // Limits the memory.
            if failures.count > 1_000 { failures = [:] }
            failures[id] = count < times ? count + 1 : nil
            return count >= times
        }
        guard !isOver else { return .json(["status": 200, "failures": .int(times)]) }
        var response: ServerResponse =
            code < 400 ? .json(["status": .int(code)], status: code) : .error(code, "As requested.")
        if let seconds = request.queryValue("retryAfter") { response.headers["Retry-After"] = seconds }
        return response
    }

    /// An event stream that can be resumed (HTML standard, section 9.2).
    ///
    /// `?count=20` is the number of events, `?every=500` the pause between them in milliseconds. `?perConnection=5`
    /// closes the connection after 5 events, and `?retry=1000` sets the reconnection time. After the last event, the
    /// status is 204, which ends the reconnections.
    private static func events(_ request: ServerRequest) throws -> ServerResponse {
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
