package import HTTPTransport

extension Behaviour {
    /// Plays the whole table on one session, so many behaviours at a time.
    ///
    /// - Returns: The name and the outcome of each that did not end as a good client's would have.
    package static func outcomes(
        on session: any HTTPSession,
        from server: MisbehavingServer,
        atOnce limit: Int
    ) async -> [(name: String, outcome: Outcome)] {
        await withTaskGroup(of: (name: String, outcome: Outcome)?.self) { group in
            var wrong: [(name: String, outcome: Outcome)] = []
            for (index, behaviour) in all.enumerated() {
                if index >= limit, let found = await group.next() { found.map { wrong.append($0) } }
                group.addTask {
                    let outcome = await behaviour.outcome(on: session, from: server, within: 20)
                    return behaviour.expected.contains(outcome) ? nil : (behaviour.name, outcome)
                }
            }
            for await found in group { found.map { wrong.append($0) } }
            return wrong
        }
    }
}
