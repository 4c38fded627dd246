package import HTTPTransport

/// A server for each behavior. They must not share connections, because one behavior would close that of
/// another.
package struct BehaviorServers: Sendable {
    private let behaviors: [Behavior]
    private let servers: [MisbehavingServer]

    package init(_ behaviors: [Behavior] = Behavior.all) throws {
        self.behaviors = behaviors
        servers = try behaviors.map { _ in try MisbehavingServer() }
    }

    package func stop() {
        for server in servers { server.stop() }
    }

    /// Plays all of them on one session, `limit` behaviors at a time.
    ///
    /// - Returns: The names and outcomes of those with a wrong outcome.
    package func wrongOutcomes(on session: any HTTPSession, atOnce limit: Int) async -> [(
        name: String, outcome: Outcome
    )] {
        await withTaskGroup(of: (name: String, outcome: Outcome)?.self) { group in
            var wrong: [(name: String, outcome: Outcome)] = []
            for (index, (behavior, server)) in zip(behaviors, servers).enumerated() {
                if index >= limit, let found = await group.next() { found.map { wrong.append($0) } }
                group.addTask {
                    let outcome = await behavior.outcome(on: session, from: server, withPatience: true)
                    return behavior.isKnown(outcome.description, on: .curl) ? nil : (behavior.name, outcome)
                }
            }
            for await found in group { found.map { wrong.append($0) } }
            return wrong
        }
    }
}
