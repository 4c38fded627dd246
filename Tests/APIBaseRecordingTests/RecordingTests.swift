import APIBaseRecording
import Foundation
import Basics
import TestTiers
import Testing

@Suite(.limited) struct RecordingTests {
    private let folder = TemporaryFolder()

    private func replay(_ name: String = "test.har") throws -> Recording {
        try Recording(file: folder.file(name), mode: .replay)
    }

    // MARK: Modes

    @Test func `Recording mode .once records in the first run, then replays and never uses the network`() async throws {
        for _ in 0..<2 {
            let network = FakeNetwork("first", "second")
            let recording = try Recording(file: folder.file(), mode: .once, over: network)
            let texts = try await recording.run { [try await Fetch().value(), try await Fetch("/others").value()] }
            #expect(texts == ["first", "second"])
        }
        let unused = FakeNetwork("first")
        let recording = try Recording(file: folder.file(), mode: .once, over: unused)
        await #expect(throws: RecordingError.self) { try await recording.run { try await Fetch("/new").value() } }
        #expect(unused.requests.isEmpty)
    }

    @Test func `Recording mode .new replays known requests and adds new requests to the file`() async throws {
        let first = try Recording(file: folder.file(), mode: .new, over: FakeNetwork("first"))
        _ = try await first.run { try await Fetch("/a").value() }

        let network = FakeNetwork("second")
        let second = try Recording(file: folder.file(), mode: .new, over: network)
        #expect(try await second.run { try await Fetch("/b").value() + Fetch("/a").value() } == "secondfirst")
        #expect(network.requests.count == 1)

        #expect(try await replay().run { try await Fetch("/a").value() + Fetch("/b").value() } == "firstsecond")
    }

    @Test func `Recording mode .passThrough uses the network and does not change the recording file`() async throws {
        let file = try folder.write("not a recording")
        let recording = try Recording(file: file, mode: .passThrough, over: FakeNetwork("fresh"))
        #expect(try await recording.run { try await Fetch().value() } == "fresh")
        try recording.save()
        #expect(try String(contentsOf: file, encoding: .utf8) == "not a recording")
    }

    @Test func `Recording mode .replay fails with missingFile when the recording file does not exist`() {
        let file = folder.file()
        #expect(throws: RecordingError.missingFile(file)) { try Recording(file: file, mode: .replay) }
    }

    @Test(arguments: [Recording.Mode.replay, .once, .new])
    func `Opening a file that is not a HAR fails with wrongShape in the modes .replay, .once and .new`(
        mode: Recording.Mode
    )
        throws
    {
        let file = try folder.write("{}")
        #expect(throws: RecordingError.wrongShape(file, key: "log", problem: .missing)) {
            try Recording(file: file, mode: mode)
        }
    }

    @Test func `A recording writes no file when nothing was recorded`() throws {
        let recording = try Recording(file: folder.file(), mode: .once, over: FakeNetwork())
        try recording.run {}
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func `A recording in mode .once writes no file when its run throws an error`() async throws {
        struct Failure: Error {}
        let recording = try Recording(file: folder.file(), mode: .once, over: FakeNetwork("first"))
        await #expect(throws: Failure.self) {
            try await recording.run {
                _ = try await Fetch().value()
                throw Failure()
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func `A call that fails with a TransportError is not recorded`() async throws {
        let network = FakeNetwork { request throws(TransportError) in
            guard request.urlRequest.url?.path == "/good" else {
                throw TransportError(phase: .connect, reason: .cannotConnect, url: nil)
            }
            return FakeNetwork.Reply("good")
        }
        let recording = try Recording(file: folder.file(), over: network)
        try await recording.run {
            let error = await #expect(throws: TransportError.self) { try await Fetch("/bad").value() }
            #expect(error?.reason == .cannotConnect)
            #expect(error?.phase == .connect)
            _ = try await Fetch("/good").value()
        }
        #expect(try await replay().run { try await Fetch("/good").value() } == "good")
        await #expect(throws: RecordingError.self) { try await replay().run { try await Fetch("/bad").value() } }
    }

    // MARK: Entries

    @Test
    func `A replay uses each entry once, in file order, and with allowsRepeats repeats the last entry`() async throws {
        let recorded = try Recording(file: folder.file(), over: FakeNetwork("1", "2", "3"))
        _ = try await recorded.run { for _ in 0..<3 { _ = try await Fetch().value() } }
        let replay = try replay()
        try await replay.run {
            let texts = [try await Fetch().value(), try await Fetch().value(), try await Fetch().value()]
            #expect(texts == ["1", "2", "3"])
            await #expect(throws: RecordingError.self) { try await Fetch().value() }
        }
        let repeating = try Recording(file: folder.file(), mode: .replay, allowsRepeats: true)
        var texts: [String] = []
        try await repeating.run { for _ in 0..<5 { texts.append(try await Fetch().value()) } }
        #expect(texts == ["1", "2", "3", "3", "3"])
    }

    @Test func `A call that is retried during a replay gets the next recorded entry`() async throws {
        let answers = Locked([401, 503, 200])
        let network = FakeNetwork { _ in FakeNetwork.Reply("in the end", status: answers.withLock { $0.removeFirst() })
        }
        let recording = try Recording(file: folder.file(), over: network)
        func call() async throws -> String? {
            for try await text in Fetch().start().retry(2).values { return text }
            return nil
        }
        #expect(try await recording.run { try await call() } == "in the end")
        #expect(try await replay().run { try await call() } == "in the end")
        await #expect(throws: RequestError.self) { try await replay().run { try await Fetch().value() } }
    }

    @Test func `A replay follows recorded redirects to the final response`() async throws {
        let network = FakeNetwork { request throws(TransportError) in
            switch request.urlRequest.url?.path {
            case "/short": .init("moved", status: 302, headers: ["Location": "/long?token=abcdef"])
            case "/long": .init(String(repeating: "x", count: 100_000), status: 301, headers: ["Location": "/end"])
            default: .init("the end")
            }
        }
        let recording = try Recording(file: folder.file(), over: network)
        #expect(try await recording.run { try await Fetch("/short").value() } == "the end")
        #expect(network.requests.count == 3)
        #expect(try await replay().run { try await Fetch("/short").value() } == "the end")
    }

    @Test
    func `A canceled response is recorded as far as it was read, with a comment that it is incomplete`() async throws {
        let gate = Gate()
        let network = GatedNetwork(gate, firstPiece: "begin")
        let recording = try Recording(file: folder.file(), over: network)
        let request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://api.example/stream"))))
        let pieces = Locked<[String]>([])
        let call = recording.exchange(request).sink { _ in
        } receiveValue: { event in
            if case .body(let data) = event { pieces.withLock { $0.append(String(decoding: data, as: UTF8.self)) } }
        }
        #expect(pieces.withLock { $0 } == ["begin"])
        call.cancel()
        try recording.save()
        #expect(try await replay().run { try await Fetch("/stream").value() } == "begin")
        let text = try String(contentsOf: folder.file(), encoding: .utf8)
        #expect(text.contains("The response was not read to its end."))
    }
}
