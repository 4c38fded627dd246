import APIBaseKit
import APIBaseRecording
import Basics
import Foundation
import TestTiers
import Testing

/// Logs and recordings take as long for a hostile text as for any other.
@Suite(.limited) struct HostileTextTests {
    private let folder = TemporaryFolder()

    /// A search that starts again at every byte would take minutes for most of these texts.
    @Test(.heavy, arguments: HostileText.all)
    func `Redaction of every hostile text of 20 kB, in logs and recordings, ends within a minute`(text: HostileText)
        async throws
    {
        try await redact(text)
    }

    @Test(arguments: HostileText.some)
    func `Redaction of a few hostile texts of 20 kB, in logs and recordings, ends within a minute`(text: HostileText)
        async throws
    {
        try await redact(text)
    }

    private func redact(_ text: HostileText) async throws {
        let body = text.bytes(20_000)
        try await record(body, text.type, in: "suite")
        #expect(try await logged(body, text.type, atMost: 1_000).contains("… (\(body.count) bytes)"))
    }

    /// A log reads only the beginning, so its text is the same for a body of any length.
    @Test(.heavy, arguments: HostileText.all)
    func `A log shows the same text for every hostile body, however long the unread rest of the body is`(
        text: HostileText
    )
        async throws
    {
        try await compareLogs(of: text)
    }

    @Test(arguments: HostileText.some)
    func `A log shows the same text for a few hostile bodies, however long their unread rest is`(text: HostileText)
        async throws
    {
        try await compareLogs(of: text)
    }

    private func compareLogs(of text: HostileText) async throws {
        let (long, short) = (text.bytes(100_000), text.bytes(30_000))
        try #require(long.prefix(20_000) == short.prefix(20_000))
        let lines = try await [logged(long, text.type, atMost: 1_000), logged(short, text.type, atMost: 1_000)]
        let shown = lines.map { $0.components(separatedBy: "… (")[0].components(separatedBy: "\n").last }
        #expect(shown[0] == shown[1])
    }

    private static let length = ProcessInfo.processInfo.environment["APIBASE_TIMES"].flatMap { Int($0) }

    /// Measures time, and runs only on request: `APIBASE_TIMES=1048576 swift test --filter HostileTextTests`.
    @Test(.enabled(if: length != nil))
    func `The redaction benchmark prints its times for hostile texts when APIBASE_TIMES is set`() async throws {
        var ordinary = (log: 0.0, recording: 0.0)
        print("| text | log | times | recording | times |\n|---|---|---|---|---|")
        for text in [.ordinary, .ordinary] + HostileText.all {
            let body = text.bytes(Self.length ?? 0)
            let log = try await seconds { _ = try await logged(body, text.type, atMost: 1_000) }
            let recording = try await seconds { try await record(body, text.type, in: "times") }
            if text.testDescription == HostileText.ordinary.testDescription { ordinary = (log, recording) }
            let cells = [log, log / ordinary.log, recording, recording / ordinary.recording]
            print(
                "| \(text.testDescription) | " + cells.map { String(format: "%.3f", $0) }.joined(separator: " | ")
                    + " |"
            )
        }
    }

    /// The processor time of `work`.
    private func seconds(_ work: () async throws -> Void) async rethrows -> Double {
        let start = clock()
        try await work()
        return Double(clock() - start) / Double(CLOCKS_PER_SEC)
    }

    private func record(_ body: Data, _ type: String, in name: String) async throws {
        let network = FakeNetwork { _ in
            var reply = FakeNetwork.Reply()
            (reply.headers["Content-Type"], reply.body) = (type, body)
            return reply
        }
        let recording = try Recording(file: folder.file("\(name)-\(UUID().uuidString)"), mode: .new, over: network)
        _ = try await recording.run { try await Fetch().value() }
    }

    private func logged(_ body: Data, _ type: String, atMost limit: Int) async throws -> String {
        let lines = Locked("")
        let stubs = Stubs()
        stubs.on().answer(.status(200, headers: ["Content-Type": type], data: body))
        try await stubs.run {
            let call = Logged(CallLog(.bodies(atMost: limit)) { line in lines.withLock { $0 = line } })
            _ = try await call.value()
        }
        return lines.withLock { $0 }
    }

    private final class Logged: APIBase, Request {
        private let log: CallLog

        init(_ log: CallLog) {
            self.log = log
            super.init()
            baseURL = URL(string: "https://api.example")
        }

        func start() -> AnyPublisher<Int, any Error> { sendRequest().map(\.response.statusCode).eraseToAnyPublisher() }
        override func report(_ event: CallEvent) { log.report(event) }
    }
}
