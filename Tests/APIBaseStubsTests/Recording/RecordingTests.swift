import APIBaseStubs
import Foundation
import Locking
import Testing

@Suite(.timeLimit(.minutes(1))) struct RecordingTests {
    private let folder = TemporaryFolder()

    private func replay(_ name: String = "test.har") throws -> Recording {
        try Recording(file: folder.file(name), mode: .replay)
    }

    // MARK: Modes

    @Test func onceRecordsAndThenReplays() async throws {
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

    @Test func newAddsWhatTheFileDoesNotAnswer() async throws {
        let first = try Recording(file: folder.file(), mode: .new, over: FakeNetwork("first"))
        _ = try await first.run { try await Fetch("/a").value() }

        let network = FakeNetwork("second")
        let second = try Recording(file: folder.file(), mode: .new, over: network)
        #expect(try await second.run { try await Fetch("/b").value() + Fetch("/a").value() } == "secondfirst")
        #expect(network.requests.count == 1)

        #expect(try await replay().run { try await Fetch("/a").value() + Fetch("/b").value() } == "firstsecond")
    }

    @Test func passThroughLeavesTheFileAlone() async throws {
        let file = try folder.write("not a recording")
        let recording = try Recording(file: file, mode: .passThrough, over: FakeNetwork("fresh"))
        #expect(try await recording.run { try await Fetch().value() } == "fresh")
        try recording.save()
        #expect(try String(contentsOf: file, encoding: .utf8) == "not a recording")
    }

    @Test func aFileThatIsNeededMustBeThere() {
        let file = folder.file()
        #expect(throws: RecordingError.missingFile(file)) { try Recording(file: file, mode: .replay) }
    }

    @Test(arguments: [Recording.Mode.replay, .once, .new])
    func aBrokenFileIsNotReplaced(mode: Recording.Mode) throws {
        let file = try folder.write("{}")
        #expect(throws: RecordingError.wrongShape(file, key: "log", problem: .missing)) {
            try Recording(file: file, mode: mode)
        }
    }

    @Test func nothingIsWrittenWhereNothingWasRecorded() throws {
        let recording = try Recording(file: folder.file(), mode: .once, over: FakeNetwork())
        try recording.run {}
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }

    @Test func aTestThatFailsLeavesNoHalfRecording() async throws {
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

    @Test func whatFailsOnTheWayIsNotRecorded() async throws {
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

    // MARK: Ways in

    @Test func itIsASessionAsWell() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("first"))
        #expect(try await Fetch().with { $0.session = recording }.value() == "first")
        try recording.save()
        let replay = try replay()
        #expect(try await Fetch().with { $0.session = replay }.value() == "first")
    }

    @Test func inAScopeTheNetworkIsTheCallsOwn() async throws {
        let network = FakeNetwork("own")
        let recording = try Recording(file: folder.file())
        #expect(try await recording.run { try await Fetch().with { $0.session = network }.value() } == "own")
        #expect(network.requests.count == 1)
    }

    @Test func theScopeHoldsForSynchronousCodeAndWhatItStarts() throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("first", "second"))
        let texts = Locked<[String]>([])
        let done = DispatchSemaphore(value: 0)
        try recording.run {
            let call = Fetch().start().flatMap { _ in Fetch().start() }.sink { _ in
                done.signal()
            } receiveValue: { text in
                texts.withLock { $0.append(text) }
            }
            #expect(done.wait(timeout: .now() + 20) == .success)
            call.cancel()
        }
        #expect(texts.withLock { $0 } == ["second"])
        let entries = try replay()
        #expect(throws: Never.self) { try entries.save() }
    }

    @Test func whatEndsAfterTheScopeIsSavedLater() async throws {
        let gate = Gate()
        let network = GatedNetwork(gate)
        let recording = try Recording(file: folder.file(), over: network)
        let texts = Locked<[String]>([])
        let call = try recording.run {
            Fetch().start().sink { _ in
            } receiveValue: { text in
                texts.withLock { $0.append(text) }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
        gate.open()
        #expect(texts.withLock { $0 } == ["late"])
        try recording.save()
        call.cancel()
        #expect(try await replay().run { try await Fetch().value() } == "late")
    }

    // MARK: Entries

    @Test func anEntryAnswersOnceInItsTurn() async throws {
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

    @Test func aRetryGetsTheNextEntry() async throws {
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

    @Test func redirectsAreEntriesOfTheirOwn() async throws {
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

    @Test func whatWasNotReadToItsEndIsRecordedAsFarAsItWas() async throws {
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
        #expect(try String(contentsOf: folder.file(), encoding: .utf8).contains("The reply was not read to its end."))
    }

    // MARK: Everything else runs for real

    @Test func limitsProgressAndValidationHoldForAReplay() async throws {
        let text = String(repeating: "text ", count: 60_000)
        let network = FakeNetwork { request throws(TransportError) in
            request.urlRequest.url?.path == "/none"
                ? .init("gone", status: 404) : .init(text, headers: ["Content-Length": "300000"])
        }
        let recording = try Recording(file: folder.file(), over: network)
        try await recording.run {
            for _ in 0..<2 { _ = try await Fetch("/things", .post, body: "12345").value() }
            await #expect(throws: RequestError.self) { try await Fetch("/none").value() }
        }
        try await replay().run {
            let call = Fetch("/things", .post, body: "12345")
            let replayed = try await call.value()
            #expect(replayed == text)
            #expect(call.uploadProgress == (5, 5))
            #expect(call.downloadProgress == (300_000, 300_000))
            let small = Fetch("/things", .post, body: "12345").with { $0.limits.responseBytes = 1000 }
            let error = await #expect(throws: TransportError.self) { try await small.value() }
            #expect(error?.reason == .tooLarge(.responseBytes, limit: 1000))
            let failure = await #expect(throws: RequestError.self) { try await Fetch("/none").value() }
            #expect(failure?.localizedDescription.contains("404") == true)
        }
    }

    @Test func demandHoldsForAReplay() async throws {
        let network = FakeNetwork(String(repeating: "x", count: 1 << 20))
        let recording = try Recording(file: folder.file(), over: network)
        _ = try await recording.run { try await Fetch().value() }
        let request = ExchangeRequest(URLRequest(url: try #require(URL(string: "http://api.example/things"))))
        var bytes = 0
        var events = 0
        // An asynchronous sequence asks for one event after the other.
        for try await event in try replay().exchange(request).values {
            events += 1
            if case .body(let data) = event { bytes += data.count }
        }
        #expect(bytes == 1 << 20)
        #expect(events > 3)
    }

    // MARK: Bodies of requests

    @Test func bodiesAreRecordedWhereverTheyComeFrom() async throws {
        let source = try folder.write("from a file", to: "source.txt")
        let sent = Locked<[String]>([])
        let network = FakeNetwork { request throws(TransportError) in
            let body = (try? request.body.bytes()) ?? Data("unreadable".utf8)
            sent.withLock { $0.append(String(decoding: body, as: UTF8.self)) }
            return .init("ok")
        }
        let url = try #require(URL(string: "http://api.example/upload"))
        func exchanges() -> [ExchangeRequest] {
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            let stream = InputStream(data: Data("from a stream".utf8))
            return [
                .data(Data("from memory".utf8)), .file(source),
                .stream(count: nil) { InputStream(data: Data("from a factory".utf8)) }, .once(stream, count: 13),
            ].map { ExchangeRequest(request, body: $0) }
        }
        let texts = ["from memory", "from a file", "from a factory", "from a stream"]

        let recording = try Recording(file: folder.file(), over: network)
        for request in exchanges() { for try await _ in recording.exchange(request).values {} }
        try recording.save()
        #expect(sent.withLock { $0 } == texts)
        let file = try String(contentsOf: folder.file(), encoding: .utf8)
        for text in texts { #expect(file.contains("\"text\" : \"\(text)\"")) }

        // Replayed in another order, so that it is the body that finds the entry.
        let replay = try Recording(
            file: folder.file(),
            mode: .replay,
            matching: .default.union([.body])
        )
        for request in exchanges().reversed() { for try await _ in replay.exchange(request).values {} }
    }

    @Test func aBodyThatCannotBeReadFailsAsItDoesWithoutARecording() async throws {
        var request = URLRequest(url: try #require(URL(string: "http://api.example/upload")))
        request.httpMethod = "PUT"
        let file = HTTPBody.file(folder.file("nothing"))
        let recording = try Recording(file: folder.file(), over: FakeNetwork("never"))
        let error = await #expect(throws: TransportError.self) {
            for try await _ in recording.exchange(ExchangeRequest(request, body: file)).values {}
        }
        #expect(error?.reason == .invalidRequest(InvalidRequest(.body, .unreadableFile)))
    }

    // MARK: Side by side

    @Test func concurrentCallsAreRecordedInTheOrderInWhichTheyStarted() async throws {
        let gates = (0..<8).map { _ in Gate() }
        let recording = try Recording(file: folder.file())
        let calls = try recording.run {
            gates.enumerated().map { index, gate in
                Fetch("/\(index)").with { $0.session = GatedNetwork(gate) }.start().sink { _ in
                } receiveValue: { _ in
                }
            }
        }
        for gate in gates.reversed() { gate.open() }
        try recording.save()
        for call in calls { call.cancel() }
        let file = try String(contentsOf: folder.file(), encoding: .utf8)
        let places = try (0..<8).map { try #require(file.range(of: "http://api.example/\($0)\"")).lowerBound }
        #expect(places == places.sorted())
    }

    @Test func manyCallsAtATimeEachGetAnEntryOfTheirOwn() async throws {
        let count = 60
        let number = Locked(0)
        let network = FakeNetwork { _ in
            let next = number.withLock { number in
                number += 1
                return number
            }
            return .init("\(next)")
        }
        func texts() async throws -> [String] {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await Fetch().value() } }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
        }
        let expected = (1...count).map(String.init).sorted()
        #expect(try await Recording(file: folder.file(), over: network).run { try await texts() } == expected)
        #expect(try await replay().run { try await texts() } == expected)
    }

    @Test func twoRunsSideBySideDoNotSeeEachOther() async throws {
        for name in ["a", "b"] {
            let network = FakeNetwork { _ in .init(name) }
            let recording = try Recording(file: folder.file(name), over: network)
            try await recording.run { for _ in 0..<20 { _ = try await Fetch().value() } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "a", "b"] {
                group.addTask {
                    let replay = try replay(name)
                    try await replay.run {
                        for _ in 0..<20 {
                            let text = try await Fetch().value()
                            #expect(text == name)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func anInnerScopeWinsOverAnOuterOne() async throws {
        let outer = try Recording(file: folder.file("outer"), over: FakeNetwork("outer"))
        let inner = try Recording(file: folder.file("inner"), over: FakeNetwork("inner"))
        try await outer.run {
            let texts = [try await inner.run { try await Fetch().value() }, try await Fetch().value()]
            #expect(texts == ["inner", "outer"])
        }
    }

    @Test func whatAnInnerScopeDoesNotAnswerIsForTheOuterOne() async throws {
        let network = FakeNetwork("network")
        let outer = try Recording(file: folder.file("outer"), over: network)
        let inner = try Recording(file: folder.file("inner"), mode: .new)
        #expect(try await outer.run { try await inner.run { try await Fetch().value() } } == "network")
        for name in ["outer", "inner"] {
            #expect(try await replay(name).run { try await Fetch().value() } == "network")
        }
    }

    @Test func aRecordingOfTheCallItselfStaysInAScope() async throws {
        let own = try Recording(file: folder.file("own"), over: FakeNetwork("own"))
        let scope = try Recording(file: folder.file("scope"), over: FakeNetwork("scope"))
        #expect(try await scope.run { try await Fetch().with { $0.session = own }.value() } == "own")
    }

    @Test func aChildTaskIsInTheScopeAndADetachedOneIsNot() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("scope", "scope"))
        let texts = try await recording.run {
            let child = Task { try await Fetch().value() }
            let detached = Task.detached { try await Fetch().with { $0.session = FakeNetwork("own") }.value() }
            return [try await child.value, try await detached.value]
        }
        #expect(texts == ["scope", "own"])
    }
}
