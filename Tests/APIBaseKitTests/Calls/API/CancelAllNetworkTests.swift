import APIBaseKit
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

private final class Hanging: APIBase {
    init(_ url: URL) {
        super.init()
        (baseURL, session) = (url, EverySession.current)
    }
}

/// The cancel of all calls of a class closes their connections. One after another, since it is for all calls of the class in
/// this process.
@Suite(.tags(.concurrent), .everySession, .serialized, .limited) struct CancelAllNetworkTests {
    enum Kind: CaseIterable { case whole, stream, unread, events, download }

    @Test(arguments: Kind.allCases)
    func `The connection of a running call is closed when cancelAll() is called`(_ kind: Kind) async throws {
        let closed = Locked(0)
        let server = try ScriptedServer { _, connection, _ in
            let type = kind == .events ? "text/event-stream" : "text/plain"
            try connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 1000000\r\n\r\ndata: 1\n\n"
            )
            let end = ContinuousClock.now + .seconds(600)
            while let bytes = try? connection.read(before: end), !bytes.isEmpty {}
            if ContinuousClock.now < end { closed.withLock { $0 += 1 } }
            connection.close()
        }
        defer { server.stop() }
        let (call, folder) = (Hanging(server.url()), DownloadFolder())
        let (hasBegun, unread) = (Locked(false), Locked<StreamedReply?>(uncheckedState: nil))
        let publisher: AnyPublisher<Void, any Error> =
            switch kind {
            case .whole: call.startRequest().map { _ in }.eraseToAnyPublisher()
            case .stream: call.sendStream().flatMap(\.body).map { _ in }.eraseToAnyPublisher()
            case .unread:
                call.sendStream().handleEvents(receiveOutput: { reply in
                    unread.withLockUnchecked { $0 = reply }
                    hasBegun.withLock { $0 = true }
                })
                .map { _ in }.eraseToAnyPublisher()
            case .events: call.serverSentEvents().map { _ in }.eraseToAnyPublisher()
            case .download: call.download(to: folder.file).map { _ in }.eraseToAnyPublisher()
            }
        let outcome = Outcome<Void, any Error>()
        let watch = call.$downloadProgress.sink { progress in
            if progress.received > 0, kind != .unread { hasBegun.withLock { $0 = true } }
        }
        let line = outcome.subscribe(to: publisher)
        defer { line.cancel() }
        defer { watch.cancel() }
        #expect(try await holds { hasBegun.withLock { $0 } && (kind != .unread || unread.withLock { $0 != nil }) })
        Hanging.cancelAll()
        // Later, if the first bytes are being delivered on another thread.
        if kind != .unread { #expect(try await holds { outcome.failure is CancellationError }) }
        #expect(try await holds { closed.withLock { $0 } == 1 })
        #expect(server.requests.count == 1)
    }

    @Test func `The connections of all concurrent calls are closed when cancelAll() is called`() async throws {
        let closed = Locked(0)
        let server = try ScriptedServer { _, connection, _ in
            while let bytes = try? connection.read(before: .now + .seconds(600)), !bytes.isEmpty {}
            closed.withLock { $0 += 1 }
            connection.close()
        }
        defer { server.stop() }
        let url = server.url()
        let session = EverySession.current
        let canceled = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let call = EverySession.$current.withValue(session) { Hanging(url) }
                    return try await finalOutcome(of: call.startRequest()).failure is CancellationError
                }
            }
            let haveBegun = try await holds { server.requests.count == 4 }
            #expect(haveBegun)
            Hanging.cancelAll()
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(canceled == 4)
        #expect(try await holds { closed.withLock { $0 } == 4 })
    }
}
