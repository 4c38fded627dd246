package import HTTPTransport

/// A server for each behavior of the table, so that they do not share connections: one that is closed under another's
/// request would be no surprise.
package struct Theatre: Sendable {
    private let servers: [MisbehavingServer]

    package init() throws {
        servers = try Behavior.all.map { _ in try MisbehavingServer() }
    }

    package func stop() {
        for server in servers { server.stop() }
    }

    /// Plays the whole table on one session, so many behaviors at a time.
    ///
    /// - Returns: The name and the outcome of each that did not end as a good client's would have.
    package func wrongOutcomes(on session: any HTTPSession, atOnce limit: Int) async -> [(
        name: String, outcome: Outcome
    )] {
        await withTaskGroup(of: (name: String, outcome: Outcome)?.self) { group in
            var wrong: [(name: String, outcome: Outcome)] = []
            for (index, (behavior, server)) in zip(Behavior.all, servers).enumerated() {
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
