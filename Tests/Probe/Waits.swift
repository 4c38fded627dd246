#if os(Linux)
import APIBaseKit
import Basics
import Foundation
import HostileServer

/// Makes thousands of calls wait in every possible way. Prints the usual and the maximum number of threads: first
/// of the runtime alone, and then with the calls.
///
/// The server answers `/pause` with status 429 and a wait of a second, paths below `/mixed` with cacheable responses,
/// others and 503, and everything else with 200.
enum Waits {
    static func run(_ server: String, count: Int) async throws {
        guard let url = URL(string: server) else { return }
        let threads = ThreadCount()
        await occupyProcessors()
        say("runtime \(threads.take().most)")
        let ways: [(String, (URL, Int) async throws -> Int)] = [
            ("everything", everything), ("gate", gate), ("refresh", refresh), ("sharing", sharing), ("pause", pause),
            ("retry", retry),
        ]
        for (name, way) in ways {
            _ = threads.take()
            let failed = try await way(url, count)
            let (usual, most) = threads.take()
            say("\(name) \(usual) \(most) \(failed)")
        }
    }

    /// Makes the runtime start all of its threads.
    private static func occupyProcessors() async {
        let end = ContinuousClock.now + .milliseconds(200)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { while ContinuousClock.now < end {} }
            }
        }
    }

    /// Calls with all features, 64 at a time.
    private static func everything(_ url: URL, _ count: Int) async throws -> Int {
        let (gate, cache, numbers) = (CallGate(concurrent: 32), ResponseCache(), Locked(0))
        let source = TokenSource { _ in Token("t", expiresAt: Date() + 0.1) }
        return await failures(of: count, atATime: 64) {
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            let call = WaitingCall(url, "/mixed/\(number % 100)")
            (call.gate, call.cache, call.authorization) = (gate, cache, .tokens(source))
            call.sharing = .safeMethods
            call.retry = RetryPolicy(attempts: 9, backoff: .constant(.milliseconds(1)), deadline: .seconds(100))
            return call
        }
    }

    /// Permits that are not released until all other calls wait for them.
    private static func gate(_ url: URL, _ count: Int) async throws -> Int {
        let (gate, started) = (CallGate(concurrent: 8, longestWait: nil), Locked(0))
        return await failures(of: count) {
            let call = WaitingCall(url, "/gate")
            call.gate = gate
            call.starts = { started.withLock { $0 += 1 } }
            call.goesOn = { started.withLock { $0 } == count }
            return call
        }
    }

    /// One token refresh that all calls wait for.
    private static func refresh(_ url: URL, _ count: Int) async throws -> Int {
        let reference = Locked<TokenSource?>(nil)
        let source = TokenSource { _ in
            _ = try await holds { reference.withLock { $0 }?.waiterCount == count }
            return Token("t")
        }
        reference.withLock { $0 = source }
        return await failures(of: count) {
            let call = WaitingCall(url, "/refresh")
            call.authorization = .tokens(source)
            return call
        }
    }

    /// One exchange that all calls share.
    private static func sharing(_ url: URL, _ count: Int) async throws -> Int {
        let shared = Locked(0)
        return await failures(of: count) {
            let call = WaitingCall(url, "/sharing")
            call.sharing = .safeMethods
            call.isShared = { shared.withLock { $0 += 1 } }
            call.goesOn = { shared.withLock { $0 } == count - 1 }
            return call
        }
    }

    /// A server that sends `Retry-After`.
    private static func pause(_ url: URL, _ count: Int) async throws -> Int {
        let gate = CallGate(longestWait: nil)
        let first = WaitingCall(url, "/pause")
        first.gate = gate
        _ = try? await first.value()
        return await failures(of: count) {
            let call = WaitingCall(url, "/after")
            call.gate = gate
            return call
        }
    }

    /// A first attempt that fails.
    private static func retry(_ url: URL, _ count: Int) async throws -> Int {
        await failures(of: count) {
            let call = WaitingCall(url, "/retry")
            call.retry = RetryPolicy(attempts: 9, backoff: .constant(.seconds(2)))
            call.failsAtFirst = true
            return call
        }
    }

    /// Makes calls, all at once or `width` at a time, and returns the number of failures.
    private static func failures(
        of count: Int,
        atATime width: Int? = nil,
        _ make: @escaping @Sendable () -> WaitingCall
    ) async -> Int {
        let width = width ?? count
        return await withTaskGroup(of: Int.self) { group in
            for _ in 0..<width {
                group.addTask {
                    var failed = 0
                    for _ in 0..<count / width where (try? await make().value()) == nil { failed += 1 }
                    return failed
                }
            }
            return await group.reduce(0, +)
        }
    }
}

/// A call that reports its start, and waits for a signal.
private final class WaitingCall: APIBase, Request {
    var starts: @Sendable () -> Void = {}
    var isShared: @Sendable () -> Void = {}
    var goesOn: (@Sendable () -> Bool)?
    var failsAtFirst = false

    init(_ base: URL, _ path: String) {
        super.init()
        baseURL = base
        self.path = path
        // Thousands of calls wait for a few connections.
        timeout = .seconds(200)
    }

    func start() -> AnyPublisher<Data, any Error> {
        defer { starts() }
        return sendRequest().validateStatusCode(in: 200..<300).map(\.data).eraseToAnyPublisher()
    }

    override func report(_ event: CallEvent) { if case .shared = event { isShared() } }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        if failsAtFirst, let url = request.url {
            failsAtFirst = false
            return HTTPURLResponse(url: url, statusCode: 503, httpVersion: nil, headerFields: nil).publisher
                .setFailureType(to: (any Error).self)
                .map { StreamedReply(response: $0, body: Empty().eraseToAnyPublisher()) }
                .eraseToAnyPublisher()
        }
        guard let goesOn else { return next(request) }
        return AnyPublisher.awaiting { try await holds(goesOn) }.flatMap { _ in next(request) }.eraseToAnyPublisher()
    }
}

/// Counts the threads of this process periodically, from `/proc/self/task`, on a thread that is not counted.
private final class ThreadCount: Sendable {
    private let counts = Locked<[Int]>([])

    init() {
        Thread.detachNewThread { [counts] in
            while true {
                let now = Self.now
                counts.withLock { $0.append(now) }
                usleep(1_000)
            }
        }
    }

    /// The 95th percentile and the maximum since the last call.
    func take() -> (usual: Int, most: Int) {
        let counts = counts.withLock { counts in
            defer { counts = [] }
            return counts.sorted()
        }
        return (counts.dropLast(counts.count / 20).last ?? 0, counts.last ?? 0)
    }

    private static var now: Int {
        guard let folder = opendir("/proc/self/task") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the folder, its parent, and the counting thread.
        return count - 3
    }
}
#endif
