import Foundation
import HostileServer
import TestTiers
import Testing

/// The table of misbehaving servers, on each engine.
@Suite(.tags(.concurrent), .timeLimit(.minutes(5))) struct MisbehavingServerTests {
    @Test func `Each misbehaving test server has a unique name and at least one expected outcome`() {
        #expect(Behavior.all.count >= 60)
        #expect(Set(Behavior.all.map(\.name)).count == Behavior.all.count)
        for behavior in Behavior.all {
            #expect(!behavior.expected.isEmpty)
            #expect((behavior.expected.count > 1) == (behavior.reason != nil), "\(behavior.name)")
        }
    }

    @Test func `The documentation page MisbehavingServers.md lists every misbehaving test server`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/HTTPTransport/HTTPTransport.docc/MisbehavingServers.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let listed = text.matches(of: /\| ([a-z0-9.\-]+) \|.*\n/).map { String($0.1) }.dropFirst()
        #expect(Set(listed).symmetricDifference(Behavior.all.map(\.name)) == [])
        #expect(text.contains("with \(Behavior.all.count) behaviors"))
    }

    #if os(Linux)
    @Test(.limited)
    func `CurlSession has the expected outcome with each misbehaving server that needs no long wait`() async throws {
        try await expectOutcomes(of: Behavior.all.filter(\.isQuick))
    }

    /// Those that end by a time limit, and large uploads, too.
    @Test(.heavy) func `CurlSession has the expected outcome with every misbehaving server`() async throws {
        try await expectOutcomes(of: Behavior.all)
    }

    private func expectOutcomes(of behaviors: [Behavior]) async throws {
        let servers = try BehaviorServers(behaviors)
        defer { servers.stop() }
        let session = Engine.curl.makeSession()
        for (name, outcome) in await servers.wrongOutcomes(on: session, atOnce: 32) {
            Issue.record("\(name): \(outcome)")
        }
        #expect(try await holds { session.runningExchanges == 0 })
    }

    /// In a separate process, since the other tests of this one use descriptors and memory too.
    @Test(.heavy, .disabled(if: isSanitized, "the sanitizer keeps memory itself"))
    func `Repeated rounds with misbehaving servers leak no file descriptors and no memory`() async throws {
        let children = try #require(Children())
        let (lines, _, wasStopped) = try await children.run(["hostile", "--rounds", "4"])
        #expect(!wasStopped)
        #expect(lines.contains("end: 0 descriptors more than before"), "\(lines)")
        // A machine that is busy with the other tests may let a deadline come first.
        #expect(!lines.contains { $0.hasPrefix("wrong") && !$0.contains("Nothing moved for") }, "\(lines)")
        let sizes = lines.prefix(4).compactMap { line in
            line.firstMatch(of: /(\d+) KiB resident/).flatMap { Int($0.1) }
        }
        try #require(sizes.count == 4)
        // The most that one response of a round needs is far more than this; what threads keep is mostly less. A leak
        // shows in each round.
        #expect(min(sizes[2] - sizes[1], sizes[3] - sizes[2]) < 65_536, "KiB: \(sizes)")
    }

    /// In separate processes, since some behaviors end them.
    @Test(.heavy, .disabled(if: isSanitized, "the sanitizer slows down what is measured here"))
    func `URLSession has one of its listed outcomes with every misbehaving server`() async throws {
        let children = try #require(Children(count: 8))
        let outcomes = try await children.outcomes(of: Behavior.all, on: .urlSession)
        for behavior in Behavior.all {
            let outcome = outcomes[behavior.name] ?? "none"
            #expect(behavior.isKnown(outcome, on: .urlSession), "\(behavior.name): \(outcome)")
        }
    }
    #endif
}
