import APIBaseKit
import APIBaseStubs
import Testing

/// A feature that makes one call or several, with the answers that it needs.
struct Feature: Sendable, CustomTestStringConvertible {
    /// An answer of a server.
    struct Answer: Sendable {
        var status = "200 OK"
        var headers: [String: String] = [:]
        var body = #"{"a":1}"#

        /// With this number of bytes more in its body.
        func padded(by count: Int) -> Answer {
            var answer = self
            answer.body = body.dropLast() + #","pad":"\#(String(repeating: "x", count: count))"}"#
            return answer
        }

        /// The bytes of the head and of the body.
        var parts: [String] {
            let fields = (["Content-Type": "application/json", "Content-Length": "\(body.utf8.count)"])
                .merging(headers) { $1 }
            let lines = ["HTTP/1.1 \(status)"] + fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
            return [lines.joined(separator: "\r\n") + "\r\n\r\n", body]
        }

        var stub: StubAnswer {
            .json(body, status: Int(status.prefix(3)) ?? 0, headers: HTTPHeaders(headers))
        }
    }

    /// A leaf for all of them.
    final class Leaf: JSONAPI, PolledRequest {
        typealias ModelType = JSONValue

        init(_ method: HTTPMethod, _ site: Site, _ content: HTTPBody? = nil) {
            super.init(Endpoint(method, "/x"))
            self.content = content
            site.apply(to: self)
        }
    }

    private class Query: GraphQLAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        class var query: String { "query Ship { ship { name } }" }
    }

    private final class Upload: GraphQLAPI, GraphQLRequest {
        typealias ModelType = JSONValue
        static let query = "mutation Add($file: Upload!) { add(file: $file) { id } }"
    }

    /// Where calls go.
    struct Site: Sendable {
        var url: URL?
        var session: (any HTTPSession)?
        var change: @Sendable (APIBase) -> Void = { _ in }

        func apply(to api: APIBase) {
            (api.baseURL, api.session) = (url, session ?? api.session)
            change(api)
        }
    }

    let testDescription: String
    let answers: [Answer]
    let run: @Sendable (Site) async throws -> Void

    private init(
        _ name: String,
        _ answers: Answer...,
        run: @escaping @Sendable (Site) async throws -> Void
    ) {
        (testDescription, self.answers, self.run) = (name, answers, run)
    }

    private static func patch(_ name: String, _ content: @escaping @Sendable () -> HTTPBody) -> Feature {
        Feature(name, Answer()) { _ = try await Leaf(.patch, $0, content()).value() }
    }

    private static let unknown = Answer(body: #"{"errors":[{"extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#)
    private static let running = Answer(status: "202 Accepted", headers: ["Location": "/y", "Retry-After": "0"])
    private static let problem = Answer(
        status: "422 Unprocessable Content",
        headers: ["Content-Type": "application/problem+json"],
        body: #"{"title":"Full"}"#
    )
    private static let bytes = Data(repeating: 7, count: 10_000)

    static let all = [
        Feature("a query", Answer(body: #"{"data":{}}"#)) { site in
            let call = Query()
            site.apply(to: call)
            _ = try await call.value()
        },
        Feature("a persisted query", unknown, Answer(body: #"{"data":{}}"#)) { site in
            let call = Query()
            call.persistedQueries = .automatic
            site.apply(to: call)
            _ = try await call.value()
        },
        Feature("an upload", Answer(body: #"{"data":{}}"#)) { site in
            let call = Upload(files: ["variables.file": .stream(count: nil) { InputStream(data: bytes) }])
            site.apply(to: call)
            _ = try await call.value()
        },
        Feature("an update", Answer(headers: ["ETag": "\"1\""]), Answer()) { site in
            _ = try await Leaf(.get, site).update { $0 = try $0.merging(["b": 2]) }
        },
        Feature("a long operation", running, running, Answer()) { site in
            _ = try await Leaf(.post, site, .json([1])).result(within: .seconds(100))
        },
        Feature("each poll", running, Answer()) { site in
            for try await _ in Leaf(.post, site).eachPoll(within: .seconds(100)) {}
        },
        Feature("a failure with a problem", problem) { site in
            do {
                _ = try await Leaf(.get, site).value()
                Issue.record("It did not fail.")
            } catch RequestError.httpFailure(let failure) {
                let isWhole = failure.body.count < HTTPFailure.bodyLimit
                #expect(failure.problem?.title == (isWhole ? "Full" : nil))
            }
        },
        patch("a merge patch") { .mergePatch(["a": JSONValue.null]) },
        patch("a JSON patch") { .jsonPatch([.remove("/a")]) },
        patch("a sequence") { .sequence { [bytes, bytes].values } },
        patch("a sequence for once") { .once([bytes, bytes].values) },
        patch("a compressed value") { .json([String(repeating: "a", count: 10_000)]).compressed() },
        patch("a compressed sequence") { HTTPBody.sequence { [bytes, bytes].values }.compressed() },
    ]
}

extension [Data] {
    /// The elements as an asynchronous sequence.
    fileprivate var values: AsyncStream<Data> {
        AsyncStream { end in
            forEach { end.yield($0) }
            end.finish()
        }
    }
}
