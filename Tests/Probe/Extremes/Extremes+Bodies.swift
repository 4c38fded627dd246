#if os(Linux) && !canImport(Combine)
import APIBaseStubs
import Basics
import LoopbackServer
import Foundation

extension Extremes {
    static var bodies: [Row] {
        all(
            rows("lines(limit:)", integers, tooLong("A line")) { limit in
                for try await line in try await body(ok).lines(limit: limit).values { return line }
                return "none"
            },
            rows("jsonLines(limit:)", integers, tooLong("A line")) { limit in
                for try await number in try await body(ok).jsonLines(of: Int.self, limit: limit).values {
                    return "\(number)"
                }
                return "none"
            },
            rows("serverSentEvents(limit:)", integers, tooLong("An event")) { limit in
                let answer = StubAnswer.events([ServerSentEvent(data: "123")])
                for try await event in try await body(answer).serverSentEvents(limit: limit).values {
                    return event.data
                }
                return "none"
            },
            rows(
                "retry of an event stream",
                ["0", "18446744073709551616", "9223372036854775807"].map { ($0, $0) },
                "1"
            ) { retry in
                let stubs = Stubs()
                stubs.on().answer(
                    inOrder: .status(
                        200,
                        headers: ["Content-Type": "text/event-stream"],
                        data: Data("retry: \(retry)\n\n".utf8)
                    ),
                    .events([ServerSentEvent(data: "1")])
                )
                let call = Plain()
                call.session = stubs
                for try await event in call.serverSentEvents().values { return event.data }
                return "none"
            },
            rows("HTTPBody.stream(count:)", counts, wrongLengths) { count in
                try await outcome(ok) { call in
                    call.method = .post
                    call.content = .stream(count: count) { InputStream(data: Data("abc".utf8)) }
                }
            },
            rows("HTTPBody.once(count:)", counts, wrongLengths) { count in
                try await outcome(ok) { call in
                    call.method = .post
                    call.content = .once(InputStream(data: Data("abc".utf8)), count: count)
                }
            },
            rows("bodyStream.count", integers, wrongLengths) { count in
                try await outcome(ok) { call in
                    call.method = .post
                    call.bodyStream = (InputStream(data: Data("abc".utf8)), count)
                }
            }
        )
    }

    private static func tooLong(_ part: String) -> [String] {
        [Int.min, -1, 0, 1].map { "\(part) of the stream has more than \($0) bytes." } + ["123"]
    }

    private static let wrongLengths =
        Array(repeating: "invalidRequest, sent 0 times", count: 2)
        + Array(repeating: "bodyLength, sent 0 times", count: 3)

    static let counts: [(String, Int64)] = [("min", .min), ("-1", -1), ("0", 0), ("1", 1), ("max", .max)]

    private static func body(_ answer: StubAnswer) async throws -> AnyPublisher<Data, any Error> {
        let stubs = Stubs()
        stubs.on().answer(answer)
        let call = Plain()
        call.session = stubs
        for try await reply in call.sendStream().values { return reply.body }
        throw CancellationError()
    }

    static var caches: [Row] {
        /// How many requests two equal calls send.
        @Sendable func asked(_ cache: ResponseCache, _ control: String = "max-age=60") async throws -> String {
            let stubs = Stubs()
            stubs.on().answer(
                .json("123", headers: ["Cache-Control": control])
            )
            for _ in 0..<2 {
                let call = Plain()
                (call.session, call.cache) = (stubs, cache)
                _ = try await call.value()
            }
            return "\(stubs.calls.count)"
        }
        return all(
            rows("ResponseCache(bytes:)", integers, "2", "2", "2", "2", "1") {
                try await asked(ResponseCache(bytes: $0))
            },
            // Without stubs, because their responses are in memory.
            rows("FolderStorage(bytes:)", integers, "2", "2", "2", "2", "1") { bytes in
                let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: folder) }
                let requests = Locked(0)
                let server = try HTTPServer { _ in
                    requests.withLock { $0 += 1 }
                    let headers: KeyValuePairs = ["Content-Type": "application/json", "Cache-Control": "max-age=600"]
                    return ServerResponse(headers: HTTPFields(headers), body: .data(Data("123".utf8)))
                }
                defer { server.stop() }
                let cache = ResponseCache(FolderStorage(folder, bytes: bytes))
                for _ in 0..<2 {
                    let call = Plain()
                    (call.baseURL, call.cache) = (server.url, cache)
                    _ = try await call.value()
                }
                return "\(requests.withLock { $0 })"
            },
            rows(
                "max-age",
                ["0", "9223372036854775807", "99999999999999999999", "-1"].map { ($0, "max-age=\($0)") },
                "2",
                "1",
                "1",
                "2"
            ) { try await asked(ResponseCache(), $0) }
        )
    }
}
#endif
