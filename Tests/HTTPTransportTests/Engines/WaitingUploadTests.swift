import Basics
import Dispatch
import Foundation
import HostileServer
import LoopbackServer
import TestTiers
import Testing

@testable import HTTPTransport

/// The ends of an upload that has begun and has no connection, on every engine. A download has the only one.
@Suite(.tags(.concurrent), .everyEngine, .limited) struct WaitingUploadTests {
    /// What ends the upload, or the wait.
    enum End: CaseIterable, Sendable {
        /// It is canceled before its source gives anything.
        case canceledAtRest
        /// It is canceled as it claims a connection, which is free or in use.
        case canceledAsItClaims, canceledAsItBeginsToWait
        /// It is canceled while the download goes on.
        case canceledWhileItWaits
        /// It is canceled, or told to continue, at the moment at which the end of the download gives it a connection.
        case canceledAtItsTurn, resumedAtItsTurn
        /// The same, and its source has failed, or its session has been closed.
        case failedAtItsTurn, closedAtItsTurn
    }

    @Test(arguments: End.allCases)
    func `An upload that waits for a connection gives back its turn once and leaves no file, whatever ends it`(
        _ end: End
    ) async throws {
        let gate = DispatchSemaphore(value: 0)
        let uploads = Locked(0)
        let server = try HTTPServer { request in
            if request.path == "/slow" { _ = gate.wait(timeout: .now() + 60) }
            if request.method == "POST" { uploads.withLock { $0 += 1 } }
            return .text("ok")
        }
        defer {
            gate.signal()
            server.stop()
        }
        let session = Engine.makeSession(connectionsPerHost: 1)
        let engine = try #require(session as? any EngineSession)
        let (download, upload) = (engine.makeTask(), engine.makeTask())
        if end != .canceledAsItClaims {
            download.begin(try ExchangeRequest(port: server.port, "/slow"), observer: Watcher())
        }

        // A stream of more than a megabyte, which `URLSession` keeps in a file that only this test has.
        let data = Data(count: 1 << 20 + Int.random(in: 1...(1 << 20)))
        let made = Later<Void>()
        let body: HTTPBody =
            switch end {
            case .canceledAtRest:
                .sequence {
                    made.set()
                    return AsyncStream<Data> { _ in }
                }
            case .failedAtItsTurn: .stream(count: 3) { InputStream(data: Data("ab".utf8)) }
            default: .stream(count: nil) { InputStream(data: data) }
            }
        let cancelsAtOnce = end == .canceledAsItClaims || end == .canceledAsItBeginsToWait
        let kept = Locked(0)
        let watcher = Watcher {
            kept.withLock { $0 = files(of: data) }
            if cancelsAtOnce { upload.cancel() }
        }
        upload.begin(try ExchangeRequest(.post, port: server.port, body: body), observer: watcher)
        try await end == .canceledAtRest ? made.value() : watcher.hasWaited.value()

        switch end {
        case .canceledAsItClaims: break
        case .canceledAtRest, .canceledAsItBeginsToWait, .canceledWhileItWaits:
            if end == .canceledWhileItWaits { #expect(kept.withLock { $0 } == (Engine.current == .urlSession ? 1 : 0)) }
            if !cancelsAtOnce { upload.cancel() }
            #expect(try await holds { session.runningExchanges == 1 && files(of: data) == 0 })
            download.cancel()
        case .canceledAtItsTurn, .resumedAtItsTurn, .failedAtItsTurn, .closedAtItsTurn:
            if end == .closedAtItsTurn { session.close() }
            // On the thread of libcurl, which carries out both calls together.
            upload.deliver(
                Delivery {
                    download.cancel()
                    end == .canceledAtItsTurn ? upload.cancel() : upload.setPaused(false)
                }
            )
            if end != .canceledAtItsTurn { try await watcher.hasEnded.value() }
        }
        try #require(try await holds { session.runningExchanges == 0 })
        if end != .closedAtItsTurn {
            #expect(try await session.reply(to: ExchangeRequest(port: server.port)).text == "ok")
        }
        #expect(files(of: data) == 0)
        if end == .resumedAtItsTurn { #expect(uploads.withLock { $0 } == 1) }
    }

    /// The number of temporary files with the length of the data.
    private func files(of data: Data) -> Int {
        let folder = FileManager.default.temporaryDirectory
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.count { name in
            name.hasPrefix("HTTPTransport-")
                && HTTPBody.file(folder.appendingPathComponent(name)).count == Int64(data.count)
        }
    }
}

private final class Watcher: EngineTaskObserver {
    /// Set at the end as well.
    let hasWaited = Later<Void>()
    let hasEnded = Later<Void>()
    private let onWait: @Sendable () -> Void

    init(onWait: @escaping @Sendable () -> Void = {}) {
        self.onWait = onWait
    }

    func waits() {
        onWait()
        hasWaited.set()
    }

    func finished(_ failure: EngineFailure?, times: EngineTimes?) {
        hasWaited.set()
        hasEnded.set()
    }

    func began() {}
    func connected() {}
    func sent(_ bytes: Int64, expected: Int64?) {}
    func received(_ head: ResponseHead) {}
    func received(_ data: Data) {}
    func ended(_ error: TransportError?) {}
}

private final class Delivery: DeliveryJob {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    func run() { work() }
}
