import Foundation
import Harness
import OpenAPIStubs

/// The processor time of tests that are held to a document: `documents FILE`, for an OpenAPI document in JSON.
///
/// All operations with `GET` whose path is all that they need are called, with the replies that the document gives. The
/// same calls without a document are subtracted. A schema is compiled when it is first used, so the first round is
/// named by itself.
@main
struct Documents {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else { return print("documents FILE") }
        let url = URL(fileURLWithPath: CommandLine.arguments[1])
        let start = processorTime()
        let document = try APIDocument(contentsOf: url)
        print("| loading \(url.lastPathComponent) | \(fixed((processorTime() - start) / 1e9, digits: 2)) s |")
        let paths = try getPaths(in: url)
        let held = Stubs(document: document)
        let replies = try await replies(to: paths, document)
        let calls = paths.filter { replies[$0] != nil }
        let size = replies.values.reduce(0) { $0 + $1.count } / max(1, replies.count)
        print("| GET operations called, bytes of a reply | \(calls.count), \(size) |")
        let plain = Stubs()
        for stubs in [held, plain] {
            stubs.on(DocumentAPI.self).answer { .json(replies[$0.url?.path ?? ""] ?? Data()) }
        }
        let first = try await times(of: calls, in: held)
        print("| first calls with their answers | \(fixed(first.reduce(0, +) / 1e9, digits: 2)) s in all |")
        var costs: [String: [Double]] = [:]
        for _ in 0..<15 {
            let (with, without) = (try await times(of: calls, in: held), try await times(of: calls, in: plain))
            for (path, cost) in zip(calls, zip(with, without)) { costs[path, default: []].append(cost.0 - cost.1) }
        }
        let medians = costs.mapValues { Quartiles($0).median }.sorted { $0.value < $1.value }
        let all = medians.map { Int($0.value / 1_000) }
        let (median, most) = (all[all.count / 2], all[all.count * 95 / 100])
        print("| a call with its answer | median \(median) µs, 95 % within \(most) µs |")
        guard let slowest = medians.last else { return }
        let bytes = replies[slowest.key]?.count ?? 0
        print("| the slowest: \(slowest.key), \(bytes) bytes | \(all[all.count - 1]) µs |")
    }

    /// The paths with `GET`, with 1 for each parameter in them.
    private static func getPaths(in url: URL) throws -> [String] {
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
        let paths = document?["paths"] as? [String: [String: Any]] ?? [:]
        return paths.filter { $0.value["get"] != nil }.keys.map { $0.replacing(/\{[^}]*\}/, with: "1") }.sorted()
    }

    /// The successful replies in JSON to calls that fit, by their paths.
    private static func replies(to paths: [String], _ document: APIDocument) async throws -> [String: Data] {
        var replies: [String: Data] = [:]
        for path in paths {
            let stubs = Stubs(document: document)
            stubs.on(document: document)
            guard let (data, response) = try? await stubs.run({ try await Reply(.get("\(path)")).value() }),
                response.statusCode == 200,
                response.value(forHTTPHeaderField: "Content-Type") == "application/json"
            else { continue }
            replies[path] = data
        }
        return replies
    }

    /// The nanoseconds of each call.
    private static func times(of paths: [String], in stubs: Stubs) async throws -> [Double] {
        try await stubs.run {
            var times: [Double] = []
            for path in paths {
                let start = processorTime()
                _ = try await DocumentAPI(.get("\(path)")).value(of: Data.self)
                times.append(processorTime() - start)
            }
            return times
        }
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

private class DocumentAPI: JSONAPI {
    override class var baseURL: URL? { URL(string: "https://api.example.com") }
}

private final class Reply: DocumentAPI, Request {
    typealias ModelType = DataResponseTuple

    func start() -> AnyPublisher<DataResponseTuple, any Error> { sendRequest() }
}
