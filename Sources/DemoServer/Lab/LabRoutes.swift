import Basics
import Foundation

/// The routes that show the abilities of a client: `/lab` and the paths below it.
struct LabRoutes: Sendable {
    private let tokens: LabTokens
    private let failures = Locked<[String: Int]>([:])

    init(now: @escaping @Sendable () -> Date) {
        tokens = LabTokens(now: now)
    }

    func add(to router: inout Router, under prefix: String) {
        router.on("GET", "\(prefix)/events") { request, _ throws(HTTPFault) in try EventRoute.response(to: request) }
        router.on("GET", "\(prefix)/files/:name") { request, parameters throws(HTTPFault) in
            try LabFile(parameters["name"], request).response(to: request)
        }
        for method in ["PUT", "POST"] {
            router.on(method, "\(prefix)/uploads/:name") { request, parameters throws(HTTPFault) in
                Self.received(request, as: parameters["name"])
            }
        }
        router.on("POST", "\(prefix)/token") { request, _ throws(HTTPFault) in try tokens.issue(to: request) }
        router.on("GET", "\(prefix)/private") { request, _ throws(HTTPFault) in
            try tokens.check(request)
            return .json(["secret": "Only with a token."])
        }
        router.on("GET", "\(prefix)/status/:code") { request, parameters throws(HTTPFault) in
            try failure(request, parameters)
        }
    }

    /// The reply to an upload: its size, and a checksum (CRC-32, as in RFC 1952, section 8).
    private static func received(_ request: ServerRequest, as name: String) -> ServerResponse {
        let json: JSONValue = [
            "name": .string(name), "type": .string(request.headers["Content-Type"] ?? ""),
            "bytes": .int(request.body.count), "crc32": .int(Int(CRC32.checksum(of: request.body))),
        ]
        return .json(json, status: 201)
    }

    /// A status on request: `?times=2` answers with it twice for each `id`, and then with 200; `?retryAfter=3` says when to come
    /// again.
    private func failure(_ request: ServerRequest, _ parameters: RouteParameters) throws(HTTPFault) -> ServerResponse {
        guard let code = parameters.number("code"), (200...599).contains(code) else {
            throw HTTPFault(404, "\"\(parameters["code"])\" is no status that can be asked for.")
        }
        let times = try request.number("times", in: 0...1_000_000, default: 1_000_000)
        let id = "\(code) \(request.queryValue("id") ?? "")"
        let isOver = failures.withLock { failures in
            let count = failures[id, default: 0]
            // So many are remembered.
            if failures.count > 1_000 { failures = [:] }
            failures[id] = count < times ? count + 1 : nil
            return count >= times
        }
        guard !isOver else { return .json(["status": 200, "failures": .int(times)]) }
        var response: ServerResponse =
            code < 400 ? .json(["status": .int(code)], status: code) : .error(code, "As asked for.")
        if let seconds = request.queryValue("retryAfter") { response.headers["Retry-After"] = seconds }
        return response
    }
}

extension ServerRequest {
    /// A number of the query; 400 for one that is none, or out of range.
    func number(
        _ name: String,
        in range: ClosedRange<Int>,
        default standard: Int
    ) throws(HTTPFault) -> Int {
        guard let text = queryValue(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw HTTPFault(400, "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
