import APIBaseRecording
import Foundation
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct RecordingScopeTests {
    private let folder = TemporaryFolder()

    private func replay(_ name: String = "test.har") throws -> Recording {
        try Recording(file: folder.file(name), mode: .replay)
    }

    // MARK: Scopes and sessions

    @Test func `A Recording set as the session of a request records the call, and later replays it`() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("first"))
        #expect(try await Fetch().with { $0.session = recording }.value() == "first")
        try recording.save()
        let replay = try replay()
        #expect(try await Fetch().with { $0.session = replay }.value() == "first")
    }

    @Test
    func `A Recording made without a network sends and records calls through the request's own session`() async throws {
        let network = FakeNetwork("own")
        let recording = try Recording(file: folder.file())
        #expect(try await recording.run { try await Fetch().with { $0.session = network }.value() } == "own")
        #expect(network.requests.count == 1)
    }

    @Test func `A synchronous Recording.run records its calls and those started in their flatMap closures`() throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("first", "second"))
        let texts = Locked<[String]>([])
        let done = DispatchSemaphore(value: 0)
        try recording.run {
            let call = Fetch().start().flatMap { _ in Fetch().start() }.sink { _ in
                done.signal()
            } receiveValue: { text in
                texts.withLock { $0.append(text) }
            }
            #expect(done.wait(timeout: .now() + 120) == .success)
            call.cancel()
        }
        #expect(texts.withLock { $0 } == ["second"])
        let file = try String(contentsOf: folder.file(), encoding: .utf8)
        for text in ["first", "second"] { #expect(file.contains("\"text\" : \"\(text)\"")) }
    }

    @Test
    func `A call that ends after Recording.run has returned is written to the file by a later save()`() async throws {
        let gate = Gate()
        let network = GatedNetwork(gate)
        let recording = try Recording(file: folder.file(), over: network)
        let (texts, arrivals) = AsyncStream.makeStream(of: String.self)
        let call = try recording.run {
            Fetch().start().sink(receiveCompletion: { _ in }, receiveValue: { arrivals.yield($0) })
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
        gate.open()
        #expect(await texts.first { _ in true } == "late")
        try recording.save()
        call.cancel()
        #expect(try await replay().run { try await Fetch().value() } == "late")
    }

    // MARK: Concurrent and nested scopes

    @Test func `Concurrent calls are recorded in the order in which they started`() async throws {
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

    @Test
    func `Each of 60 concurrent equal calls is recorded and replayed as an entry of its own`() async throws {
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

    @Test func `Concurrent replays of different recording files answer only from their own file`() async throws {
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

    @Test func `A call in nested recordings is answered by the inner recording`() async throws {
        let outer = try Recording(file: folder.file("outer"), over: FakeNetwork("outer"))
        let inner = try Recording(file: folder.file("inner"), over: FakeNetwork("inner"))
        try await outer.run {
            let texts = [try await inner.run { try await Fetch().value() }, try await Fetch().value()]
            #expect(texts == ["inner", "outer"])
        }
    }

    @Test func `A call that the inner of two nested recordings cannot replay is recorded in both`() async throws {
        let network = FakeNetwork("network")
        let outer = try Recording(file: folder.file("outer"), over: network)
        let inner = try Recording(file: folder.file("inner"), mode: .new)
        #expect(try await outer.run { try await inner.run { try await Fetch().value() } } == "network")
        for name in ["outer", "inner"] {
            #expect(try await replay(name).run { try await Fetch().value() } == "network")
        }
    }

    @Test
    func `A Recording set as the request's session takes precedence over the enclosing Recording.run`() async throws {
        let own = try Recording(file: folder.file("own"), over: FakeNetwork("own"))
        let scope = try Recording(file: folder.file("scope"), over: FakeNetwork("scope"))
        #expect(try await scope.run { try await Fetch().with { $0.session = own }.value() } == "own")
    }

    @Test func `Recording.run records the call of a child task, but not the call of a detached task`() async throws {
        let recording = try Recording(file: folder.file(), over: FakeNetwork("scope", "scope"))
        let texts = try await recording.run {
            let child = Task { try await Fetch().value() }
            let detached = Task.detached { try await Fetch().with { $0.session = FakeNetwork("own") }.value() }
            return [try await child.value, try await detached.value]
        }
        #expect(texts == ["scope", "own"])
    }
}
