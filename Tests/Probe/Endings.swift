#if os(Linux)
import APIBaseKit
import Basics
import LoopbackServer
import Dispatch
import Glibc

/// Exits and forks while a session is active.
enum Endings {
    /// Exits during requests.
    static func exitWithRequestsRunning() throws -> Never {
        let server = try HTTPServer { _ in
            ServerResponse(body: .stream { write in for _ in 0..<100 { try write(Data(repeating: 1, count: 10_000)) } })
        }
        let session = CurlSession()
        let subscriptions = (0..<50).map { _ in
            session.response(to: ExchangeRequest(URLRequest(url: server.url)))
                .sink { _ in
                } receiveValue: { _ in
                }
        }
        usleep(.random(in: 0...30_000))
        withExtendedLifetime(subscriptions) { exit(0) }
    }

    /// Forks during requests, exits the child normally, and continues. Prints how the child ended.
    static func forkWithRequestsRunning() async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 100_000)) }
        let calls = (0..<20).map { _ in
            let call = Call()
            call.baseURL = server.url
            return call
        }
        let running = Task {
            var bytes = 0
            for _ in 0..<5 { for call in calls { bytes += try await call.value().count } }
            return bytes
        }
        usleep(20_000)
        // Looked up by name, because Swift does not import fork.
        let fork = dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
        let child = fork?() ?? -1
        if child == 0 { exit(7) }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print("child: \((status >> 8) & 0xFF)")
        print("bytes: \(try await running.value)")
        server.stop()
    }

    /// Forks after a request, and makes others on a new session in the child. Prints how the child ended: 7 for
    /// success. With other active threads, a child may not even allocate (fork(2)), because their locks stay locked in
    /// it.
    static func forkAndGoOn() async throws {
        let server = try HTTPServer { _ in .text(String(repeating: "x", count: 100_000)) }
        let call = Call()
        call.baseURL = server.url
        _ = try await call.value()
        // The child takes no lock of Swift's runtime for a type that is known by then.
        guard callsWork(to: server.url) else { return print("The calls fail in the parent.") }
        var (looks, quiet) = (0, 0)
        while quiet < 3, looks < 30_000 {
            usleep(1_000)
            (looks, quiet) = (looks + 1, Resources.isQuiet ? quiet + 1 : 0)
        }
        guard quiet == 3 else { return print("The other threads are never asleep.") }
        let fork = dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
        let child = fork?() ?? -1
        if child == 0 {
            // The threads of Dispatch block signals, and so does a process that one of them forks.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            alarm(60)
            exit(callsWork(to: server.url) ? 7 : 8)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        print("child: \((status >> 8) & 0xFF), signal \(status & 0x7F)")
        server.stop()
    }

    /// Whether a new session works in a forked process, which has no other threads.
    private static func callsWork(to url: URL) -> Bool {
        let session = CurlSession()
        return (0..<3).allSatisfy { _ in
            let done = DispatchSemaphore(value: 0)
            let result = Locked("no end")
            let subscription = session.response(to: ExchangeRequest(URLRequest(url: url))).sink { completion in
                if case .failure(let error) = completion { result.withLock { $0 = "\(error)" } }
                done.signal()
            } receiveValue: { data, _ in
                result.withLock { $0 = "\(data.count) bytes" }
            }
            _ = done.wait(timeout: .now() + 20)
            subscription.cancel()
            let text = result.withLock { $0 }
            if text != "100000 bytes" { print(text) }
            return text == "100000 bytes"
        }
    }
}
#endif
