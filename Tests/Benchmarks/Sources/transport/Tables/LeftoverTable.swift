import APIBaseKit
import CAllocations
import Foundation
import HTTPTransport

/// The memory, descriptors and threads that 100,000 calls of each kind leave.
struct LeftoverTable {
    private static let (calls, warmUp, lanes) = (100_000, 5_000, 64)

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        print("| calls | seconds | failed | KiB of memory more | descriptors more | threads more |")
        print("|---|---:|---:|---:|---:|---:|")
        for kind in Self.kinds(server) {
            _ = await times(Self.warmUp, kind.call)
            let (before, start) = (Process.held, ContinuousClock.now)
            let failures = await times(Self.calls, kind.call)
            let (seconds, after) = ((ContinuousClock.now - start).inSeconds, Process.held)
            let memory = (after.memory - before.memory) / 1_024
            print(
                "| \(kind.name) | \(fixed(seconds, 1)) | \(failures) | \(memory) |",
                "\(after.descriptors - before.descriptors) | \(after.threads - before.threads) |"
            )
        }
    }

    private func times(_ count: Int, _ call: @escaping @Sendable () async throws -> Bool) async -> Int {
        await inLanes(Self.lanes) {
            var failures = 0
            for _ in 0..<count / Self.lanes where await (try? call()) != true { failures += 1 }
            return failures
        }
    }

    private struct Kind {
        let name: String
        let call: @Sendable () async throws -> Bool
    }

    private static func kinds(_ server: Nginx) -> [Kind] {
        let (base, folder) = (server.plain, server.folder)
        @Sendable func call(_ path: String = "/varied/users") -> LeftoverRequest { LeftoverRequest(base, path) }
        let (gate, cache) = (CallGate(concurrent: 8, perSecond: 1e9), ResponseCache())
        let tokens = TokenSource { _ in Token("token", expiresAt: Date(timeIntervalSinceNow: 0.1)) }
        return [
            Kind(name: "`value()`") { try await !call().value().isEmpty },
            Kind(name: "`start()`") { try await call().start().values.contains { !$0.isEmpty } },
            Kind(name: "`sendStream()`") {
                try await call().sendStream().body.values.contains { !$0.isEmpty }
            },
            Kind(name: "lines, left after the first") {
                for try await _ in call().sendStream().body.lines().values { return true }
                return false
            },
            Kind(name: "`download(to:)`") {
                let file = folder.appendingPathComponent(UUID().uuidString)
                defer { try? FileManager.default.removeItem(at: file) }
                return try await call().download(to: file).values.contains(file)
            },
            Kind(name: "three pages") {
                var count = 0
                for try await _ in PagesRequest(base, "/users").pages().values { count += 1 }
                return count == 3
            },
            Kind(name: "tried again after a 404") {
                let request = call("/missing")
                request.retry = RetryPolicy(attempts: 2, statusCodes: [404], backoff: .constant(.zero))
                do {
                    _ = try await request.value()
                    return false
                } catch let error as RequestError {
                    if case .httpFailure(let failure) = error { return failure.statusCode == 404 }
                    return false
                }
            },
            Kind(name: "with a gate, a token that expires, a cache and sharing") {
                let request = call()
                (request.gate, request.authorization) = (gate, .tokens(tokens))
                (request.cache, request.sharing) = (cache, .safeMethods)
                return try await !request.value().isEmpty
            },
            Kind(name: "stubbed") {
                let request = call()
                request.dataTaskPublisher = request.stubJSONResponse(statusCode: 200, data: Data("[]".utf8))
                return try await !request.value().isEmpty
            },
            Kind(name: "cancelled") {
                let task = Task { try await call().value() }
                await Task.yield()
                task.cancel()
                _ = try? await task.value
                return true
            },
        ]
    }
}

private class LeftoverRequest: JSONAPI, Request {
    init(_ base: URL, _ path: String) {
        super.init()
        baseURL = base
        self.path = path
    }

    func start() -> AnyPublisher<Data, any Error> { sendRequest().map(\.data).eraseToAnyPublisher() }
}

private final class PagesRequest: JSONAPI, PagedRequest {
    init(_ base: URL, _ path: String) {
        super.init()
        baseURL = base
        self.path = path
    }

    func start() -> AnyPublisher<Data, any Error> { sendRequest().map(\.data).eraseToAnyPublisher() }

    func nextPage(after page: Data, _ response: HTTPURLResponse) -> NextPage? {
        switch response.url?.query() {
        case nil: .query(["page": "2"])
        case "page=2": .query(["page": "3"])
        default: nil
        }
    }
}

extension Process {
    /// What this process holds: bytes that have been allocated and not freed, descriptors, threads.
    fileprivate static var held: (memory: Int, descriptors: Int, threads: Int) {
        func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
        }
        return (allocations_held(), count("fd"), count("task"))
    }
}
