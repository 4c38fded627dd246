#if os(Linux)
import APIBaseKit
import Basics
import Foundation

/// Calls of random API classes against random responses. Prints the requests, the results and the reported
/// events. The same numbers give the same text, so that two versions of the kit can be compared line by line.
enum DrawnCalls {
    static func run(_ classes: Range<Int>, calls: Int) async throws {
        let server = try DrawnServer()
        defer { server.stop() }
        for number in classes {
            var numbers = RandomNumbers(seed: UInt64(number))
            let settings = DrawnSettings(&numbers)
            say("class \(number): \(settings.description)")
            for call in 0..<calls {
                let path = "/\(number)/\(call)"
                let answers = DrawnServer.answers(otherwise: path)
                let few = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
                    answers[Int.random(in: 0..<answers.count, using: &numbers)]
                }
                server.answer(path, with: few)
                server.answer(path + "/moved", with: [answers[Int.random(in: 0..<2, using: &numbers)]])
                let hooks = settings.hooks
                let outcome =
                    settings.isHooked
                    ? await settings.call(HookedDrawnRequest(), path, server.baseURL, &numbers)
                    : await settings.call(PlainDrawnRequest(), path, server.baseURL, &numbers)
                let (seen, events) = (server.takeSeen(), hooks.takeEvents())
                // How far a call gets before its cancellation depends on the threads.
                guard !settings.isCancelled else { continue }
                for line in seen where line.contains(" /\(number)/") { say("  \(call) sent \(clean(line, server))") }
                for event in events { say("  \(call) event \(event)") }
                say("  \(call) \(clean(outcome, server))")
            }
        }
    }

    /// The text without the parts that differ between runs.
    private static func clean(_ text: String, _ server: DrawnServer) -> String {
        text.replacingOccurrences(of: server.baseURL.absoluteString, with: "http://server")
            .replacing(/[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/, with: "UUID")
            .replacing(/\d+ms|\d+\.\d+ (seconds|s)/, with: "TIME")
            // Which side notices a closed connection first depends on the threads.
            .replacing(/was lost \([^)]*\): [^·]*/, with: "was lost ")
            .replacingOccurrences(of: "\n", with: "⏎")
    }
}

/// The settings of one class.
struct DrawnSettings {
    let isHooked: Bool
    let hooks: DrawnHooks
    private let retry: RetryPolicy
    private let attempts: Int
    private let gate: CallGate?
    private let cache: ResponseCache?
    private let sharing: Sharing
    private let authorization: (name: String, value: Authorization?)
    private let key: IdempotencyKey?
    private let stub: Int
    private let usesURLSession: Bool
    private let kind: Int

    private static let kinds = ["value", "start", "reply", "stream", "lines", "pages", "twice", "data", "cancelled"]

    init(_ numbers: inout RandomNumbers) {
        func draw<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &numbers)] }
        isHooked = draw([false, true])
        hooks = DrawnHooks(&numbers)
        attempts = draw([1, 1, 2, 3])
        let deadline = draw([nil, nil, Duration.seconds(20)])
        retry = RetryPolicy(attempts: attempts, backoff: .none, deadline: deadline)
        gate = draw([nil, nil, CallGate(concurrent: 2), CallGate(concurrent: 1, opensAfter: 3)])
        cache = draw([nil, nil, ResponseCache()])
        sharing = draw([.none, .none, .safeMethods])
        let count = Locked(0)
        let tokens = TokenSource { _ in
            Token("t\(count.withLock { count in count += 1; return count })")
        }
        authorization = draw([
            ("none", nil), ("none", nil), ("none", nil), ("bearer", .bearer("secret")), ("bearer", .bearer("other")),
            ("tokens", .tokens(tokens)), ("tokens", .tokens(tokens)), ("empty", .bearer("")),
        ])
        key = draw([nil, nil, .automatic, .value("key")])
        stub = draw([0, 0, 0, 0, 1, 2, 3])
        usesURLSession = Int.random(in: 0..<20, using: &numbers) == 0
        kind = Int.random(in: 0..<Self.kinds.count, using: &numbers)
    }

    var isCancelled: Bool { Self.kinds[kind] == "cancelled" }

    var description: String {
        "\(Self.kinds[kind]) attempts \(attempts)\(retry.deadline == nil ? "" : " deadline")"
            + (isHooked ? " hooks \(hooks.start)\(hooks.build)\(hooks.encode)\(hooks.intercept)" : "")
            + (isHooked ? "\(hooks.retryDelay)\(hooks.accepts)\(hooks.error)\(hooks.decode)\(hooks.reports)" : "")
            + (gate == nil ? "" : " gate") + (cache == nil ? "" : " cache") + (sharing == .none ? "" : " sharing")
            + " \(authorization.name)" + (key == nil ? "" : " key") + (stub == 0 ? "" : " stub \(stub)")
            + (usesURLSession ? " URLSession" : "")
    }

    private static let foundation = URLSession(configuration: .ephemeral)

    /// Makes a call, and returns its result as text.
    func call<Leaf: PlainDrawnAPI & PagedRequest>(
        _ leaf: Leaf,
        _ path: String,
        _ baseURL: URL,
        _ numbers: inout RandomNumbers
    ) async -> String where Leaf.ModelType == DrawnModel, Leaf.Failure == any Error {
        leaf.take(hooks)
        (leaf.retry, leaf.gate, leaf.cache, leaf.sharing) = (retry, gate, cache, sharing)
        (leaf.authorization, leaf.idempotencyKey) = (authorization.value, key)
        (leaf.baseURL, leaf.path) = (baseURL, path)
        leaf.timeout = .seconds(10)
        let method = Int.random(in: 0..<6, using: &numbers)
        leaf.method = [.get, .get, .get, .post, .put, .delete][method]
        if method == 3 || method == 4 { leaf.json = DrawnModel(id: method, name: "ü") }
        if Int.random(in: 0..<8, using: &numbers) == 0 { leaf.headers["X-Own"] = "a b" }
        if Int.random(in: 0..<8, using: &numbers) == 0 { leaf.query["q"] = "a&b" }
        if Int.random(in: 0..<30, using: &numbers) == 0 { leaf.headers["Bad Name"] = "x" }
        if usesURLSession { leaf.session = Self.foundation }
        switch stub {
        case 1: leaf.dataTaskPublisher = leaf.stubJSONResponse(statusCode: 200, data: Data(#"{"id": 9}"#.utf8))
        case 2: leaf.dataTaskPublisher = leaf.stubResponse(statusCode: 503, data: Data("busy".utf8))
        case 3:
            leaf.dataTaskPublisher = leaf.stub(error: TransportError(phase: .connect, reason: .cannotConnect, url: nil))
        default: break
        }
        let outcome = await outcome(of: leaf)
        let request = leaf.request.map { "\($0.httpMethod ?? "") \($0.url?.absoluteString ?? "")" } ?? "none"
        return "\(outcome) · request \(request) · response \(leaf.response.map { "\($0.statusCode)" } ?? "none")"
    }

    private func outcome<Leaf: PlainDrawnAPI & PagedRequest>(of leaf: Leaf) async -> String
    where Leaf.ModelType == DrawnModel, Leaf.Failure == any Error {
        do {
            switch Self.kinds[kind] {
            case "value": return "value \(try await leaf.value())"
            case "reply":
                let reply = try await leaf.reply()
                return "reply \(reply.value) \(reply.response.statusCode)"
            case "start": return "values \(try await all(leaf.start().map { "\($0)" }))"
            case "twice":
                let first = try? await leaf.value()
                return "twice \(first.map { "\($0)" } ?? "failed") \(try await leaf.value())"
            case "stream":
                let bodies = leaf.sendStream().flatMap { reply in
                    reply.body.collect().map { "\(reply.response.statusCode) \($0.reduce(Data(), +).count)" }
                }
                return "stream \(try await all(bodies))"
            case "lines": return "lines \(try await all(leaf.sendStream().body.lines()))"
            case "pages": return "pages \(try await all(leaf.pages(atMost: 3).map { "\($0)" }))"
            case "data": return "data \(try await all(leaf.sendRequest().map { "\($0.data.count)" }))"
            default:
                let subscription = leaf.start().sink { _ in
                } receiveValue: { _ in
                }
                subscription.cancel()
                return "cancelled"
            }
        } catch {
            return "failed \(Swift.type(of: error)) \(error.localizedDescription)"
        }
    }

    private func all(_ values: some Publisher<String, any Error>) async throws -> [String] {
        var found: [String] = []
        for try await value in values.values { found.append(value) }
        return found
    }
}
#endif
