import APIBaseKit
import APIBaseStubs
import Basics
import HostileServer
import LoopbackServer
import TestTiers
import Testing

/// The cancel of what reads a response: before it comes, in the middle, and afterwards.
///
/// One after another, since a cancel of all calls ends those of the other tests too.
@Suite(.tags(.concurrent), .everySession, .serialized, .limited) struct CanceledReadingTests {
    enum Way: CaseIterable { case task, dropped, all }

    /// A server that sends the first half of a body, and waits.
    private static func server(_ reading: Reading) throws -> ScriptedServer {
        try ScriptedServer { _, connection, _ in
            try connection.write(reading.head(1_000) + reading.halves.0)
            _ = try? connection.readToEnd()
        }
    }

    @Test(arguments: Reading.allCases, Way.allCases)
    func `Canceling midway through a response releases the request object and closes its connection`(
        _ reading: Reading,
        _ way: Way
    ) async throws {
        let server = try Self.server(reading)
        defer { server.stop() }
        let (alive, began, session) = (Alive(), Later<Void>(), EverySession.current)
        if way == .dropped {
            let outcome = Outcome<String, any Error>()
            var line: AnyCancellable? = outcome.subscribe(to: reading.publisher(server.url(""), alive, began: began))
            try await began.value()
            withExtendedLifetime(line) {}
            line = nil
            #expect(outcome.completion == nil)
        } else {
            let task = Task {
                try await EverySession.$current.withValue(session) {
                    try await reading.loop(server.url(""), alive, began: began) { _ in }
                }
            }
            try await began.value()
            if way == .task { task.cancel() } else { Reading.cancelAll() }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(try await holds { server.openConnections == 0 && alive.count == 0 })
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Reading.allCases)
    func `Reading a response in a canceled task throws CancellationError and opens no connection`(_ reading: Reading)
        async throws
    {
        let server = try Self.server(reading)
        defer { server.stop() }
        let alive = Alive()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await reading.loop(server.url(""), alive) { _ in }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connections == 0)
        let taker = Taker(reading.publisher(server.url(""), alive))
        taker.cancel()
        taker.take(1)
        Reading.cancelAll()
        #expect(taker.values.isEmpty && taker.completion == nil)
        #expect(try await holds { server.openConnections == 0 })
    }

    @Test(arguments: Reading.allCases)
    func `Canceling a call after its response was read changes neither its values nor later calls`(_ reading: Reading)
        async throws
    {
        let body = reading.halves.0 + reading.halves.1
        let server = try ScriptedServer(always: reading.head(body.utf8.count) + body)
        defer { server.stop() }
        let (alive, outcome) = (Alive(), Outcome<String, any Error>())
        let line = outcome.subscribe(to: reading.publisher(server.url(""), alive))
        #expect(try await holds { outcome.completion != nil })
        Reading.cancelAll()
        line.cancel()
        #expect(outcome.isFinished && outcome.values == reading.values)
        var values: [String] = []
        try await reading.loop(server.url(""), alive) { values.append($0) }
        #expect(values == reading.values)
        #expect(try await holds { alive.count <= 1 })
    }

    /// The second half comes when the first has been read.
    @Test(arguments: Reading.allCases)
    func `A response whose second half arrives late is read to its end`(_ reading: Reading) async throws {
        let (alive, began, rest) = (Alive(), Later<Void>(), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { _, connection, _ in
            let (first, second) = reading.halves
            try connection.write(reading.head(first.utf8.count + second.utf8.count) + first)
            guard rest.wait(timeout: .now() + 60) == .success else { return }
            try connection.write(second)
        }
        defer { server.stop() }
        let release = Task {
            try await began.value()
            rest.signal()
        }
        var values: [String] = []
        try await reading.loop(server.url(""), alive, began: began) { values.append($0) }
        try await release.value
        #expect(values == reading.values)
    }

    /// Cancels race with the end of the response: the values, `CancellationError`, or nothing.
    @Test(arguments: Reading.allCases, Way.allCases)
    func `Canceling while a response ends gives all its values or CancellationError, but no other error`(
        _ reading: Reading,
        _ way: Way
    )
        async throws
    {
        let body = reading.halves.0 + reading.halves.1
        let server = try ScriptedServer(always: reading.head(body.utf8.count) + body)
        defer { server.stop() }
        let (alive, session) = (Alive(), EverySession.current)
        for _ in 0..<load(30) {
            let began = Later<Void>()
            if way == .dropped {
                let outcome = Outcome<String, any Error>()
                let line = outcome.subscribe(to: reading.publisher(server.url(""), alive, began: began))
                try await began.value()
                line.cancel()
                #expect(outcome.failure == nil)
                continue
            }
            let task = Task {
                try await EverySession.$current.withValue(session) {
                    var values: [String] = []
                    try await reading.loop(server.url(""), alive, began: began) { values.append($0) }
                    return values
                }
            }
            try await began.value()
            if way == .task { task.cancel() } else { Reading.cancelAll() }
            do { #expect(try await task.value == reading.values) } catch { #expect(error is CancellationError) }
        }
        #expect(try await holds { alive.count == 0 })
    }

    /// Each of three subscribers of one object's publisher has a call of its own.
    @Test(arguments: Reading.allCases)
    func `Canceling one of three subscribers of a call's publisher leaves the other responses complete`(
        _ reading: Reading
    ) async throws {
        let body = reading.halves.0 + reading.halves.1
        let (alive, rest) = (Alive(), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { _, connection, _ in
            try connection.write(reading.head(body.utf8.count) + reading.halves.0)
            guard rest.wait(timeout: .now() + 60) == .success else { return }
            try connection.write(reading.halves.1)
        }
        defer { server.stop() }
        let publisher = reading.publisher(server.url(""), alive)
        let outcomes = (0..<3).map { _ in Outcome<String, any Error>() }
        let lines = outcomes.map { $0.subscribe(to: publisher) }
        #expect(try await holds { server.requests.count == 3 })
        lines[0].cancel()
        for _ in 0..<3 { rest.signal() }
        #expect(try await holds { outcomes[1...].allSatisfy { $0.completion != nil } })
        #expect(outcomes[1...].allSatisfy { $0.isFinished && $0.values == reading.values })
        #expect(outcomes[0].completion == nil && alive.count == 1)
    }
}
