import APIBaseKit
import APIBaseStubs
import Basics
import LoopbackServer
import HostileServer
import TestTiers
import Testing

/// How the features that make calls end: with slow, long and broken answers, and when they are canceled.
@Suite(.tags(.concurrent), .everySession, .limited) struct FeatureNetworkTests {
    /// The part of an answer that a server sends before something happens.
    enum Part: CaseIterable { case beginningOfTheHead, head, halfOfTheBody }

    private static let parts: [Part] = runsAllTests ? Part.allCases : [.halfOfTheBody]

    /// A server that gives the answers but for one, of which it sends only a part before `then`.
    private func server(
        _ answers: [Feature.Answer],
        only part: Part = .head,
        of last: Int? = nil,
        then: @escaping @Sendable (SocketConnection) -> Void = { $0.close() }
    ) throws -> ScriptedServer {
        try ScriptedServer { _, connection, index in
            let parts = answers[min(index, answers.count - 1)].parts
            guard let last, index >= last else { return try parts.forEach { try connection.write($0) } }
            switch part {
            case .beginningOfTheHead: try connection.write(String(parts[0].prefix(11)))
            case .head: try connection.write(parts[0])
            case .halfOfTheBody: try connection.write(parts[0] + parts[1].prefix(3))
            }
            then(connection)
        }
    }

    private func site(_ server: ScriptedServer, _ change: @escaping @Sendable (APIBase) -> Void = { _ in })
        -> Feature.Site
    {
        Feature.Site(url: server.url(""), session: EverySession.current, change: change)
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls read 200 KB replies, but fail with a responseBytes of 100 KB`(
        _ feature: Feature
    )
        async throws
    {
        let answers = feature.answers.map { $0.body.contains("errors") ? $0 : $0.padded(by: 200_000) }
        let server = try server(answers)
        defer { server.stop() }
        try await feature.run(site(server))
        #expect(server.requests.count == feature.answers.count)
        let small = try self.server(answers)
        defer { small.stop() }
        await #expect(throws: TransportError.self) {
            try await feature.run(site(small) { $0.limits.responseBytes = 100_000 })
        }
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls read replies that arrive one character at a time`(_ feature: Feature)
        async throws
    {
        let server = try ScriptedServer { _, connection, index in
            for part in feature.answers[min(index, feature.answers.count - 1)].parts {
                for character in part { try connection.write(String(character)) }
            }
        }
        defer { server.stop() }
        try await feature.run(site(server))
        #expect(server.requests.count == feature.answers.count)
    }

    @Test(arguments: Feature.all, parts)
    func `GraphQL, update, poll and patch calls fail with TransportError when a reply is cut off`(
        _ feature: Feature,
        _ part: Part
    )
        async throws
    {
        for index in feature.answers.indices {
            let server = try server(feature.answers, only: part, of: index)
            defer { server.stop() }
            await #expect(throws: TransportError.self, "\(index)") { try await feature.run(site(server)) }
        }
    }

    @Test(arguments: Feature.all, parts)
    func `GraphQL, update, poll and patch calls throw CancellationError and disconnect when canceled`(
        _ feature: Feature,
        _ part: Part
    )
        async throws
    {
        for index in feature.answers.indices {
            // Another connection, of an answer before, may stay open for later requests.
            let isClosed = Later<Void>()
            let server = try server(feature.answers, only: part, of: index) {
                _ = try? $0.readToEnd(before: .now + .seconds(600))
                isClosed.set()
            }
            defer { server.stop() }
            let task = Task { try await feature.run(site(server)) }
            #expect(try await holds { server.requests.count > index })
            task.cancel()
            await #expect(throws: CancellationError.self, "\(index)") { try await task.value }
            try await isClosed.value()
        }
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls open no connection in a canceled task`(_ feature: Feature) async throws
    {
        let server = try server(feature.answers)
        defer { server.stop() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await feature.run(site(server))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.connections == 0)
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls succeed when made again after a cancellation`(_ feature: Feature)
        async throws
    {
        let server = try ScriptedServer { _, connection, index in
            guard index > 0 else {
                _ = try connection.readToEnd(before: .now + .seconds(600))
                return connection.close()
            }
            let answers = feature.answers
            for part in answers[min(index - 1, answers.count - 1)].parts { try connection.write(part) }
        }
        defer { server.stop() }
        let task = Task { try await feature.run(site(server)) }
        #expect(try await holds { server.requests.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await feature.run(site(server))
        #expect(server.requests.count == 1 + feature.answers.count)
    }
}

/// The same with stubs.
@Suite(.limited) struct StubbedFeatureTests {
    private static let site = Feature.Site(url: URL(string: "http://api.example"))

    private func stubs(_ answers: [StubAnswer], on clock: StubClock = .immediate) -> Stubs {
        let (stubs, rest) = (Stubs(clock: clock), Locked(answers))
        stubs.on().answer { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        return stubs
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls read stubbed replies that come one byte at a time`(_ feature: Feature)
        async throws
    {
        let stubs = stubs(feature.answers.map { $0.stub.inChunks(of: 1, every: .milliseconds(10)) })
        try await stubs.run { try await feature.run(Self.site) }
        #expect(stubs.calls.count == feature.answers.count)
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls fail with TransportError when a stubbed reply breaks off`(
        _ feature: Feature
    ) async throws {
        for index in feature.answers.indices {
            let last = feature.answers[index].stub.broken(off: .afterBytes(3))
            let stubs = stubs(feature.answers.prefix(index).map(\.stub) + [last])
            await #expect(throws: TransportError.self, "\(index)") {
                try await stubs.run { try await feature.run(Self.site) }
            }
        }
    }

    @Test(arguments: Feature.all)
    func `GraphQL, update, poll and patch calls throw CancellationError when canceled before a stub answers`(
        _ feature: Feature
    )
        async throws
    {
        for index in feature.answers.indices {
            let clock = StubClock.manual(movedWithin: .seconds(120))
            let stubs = stubs(feature.answers.prefix(index).map(\.stub) + [.never], on: clock)
            let task = Task { try await stubs.run { try await feature.run(Self.site) } }
            #expect(
                try await holds {
                    // The wait before a poll.
                    if clock.nextWait == .milliseconds(100) { clock.advance(by: .milliseconds(100)) }
                    return stubs.calls.count > index
                }
            )
            task.cancel()
            await #expect(throws: CancellationError.self, "\(index)") { try await task.value }
        }
    }
}
