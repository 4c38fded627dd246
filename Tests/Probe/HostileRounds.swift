import HostileServer

/// Plays the whole table again and again on one `CurlSession`, many behaviors at a time, and prints what is open and
/// how much memory is taken; then what was concluded that should not have been.
///
/// A first round on a session of its own comes before: what the process needs once is not counted.
enum HostileRounds {
    static func run(_ rounds: Int) async throws {
        _ = try await play(1)
        let before = try await settledDescriptors()
        let wrong = try await play(rounds) { round in
            guard round <= 3 || round == rounds || round.isMultiple(of: 50) else { return }
            Resources.trim()
            say(
                "round \(round): \(Resources.descriptors.count) descriptors, \(Resources.residentKiB) KiB resident, "
                    + "\(Resources.allocatedKiB) KiB allocated"
            )
        }
        let after = try await settledDescriptors()
        say("end: \(max(0, after.count - before.count)) descriptors more than before")
        for descriptor in Set(after).subtracting(before).sorted() { say("new: \(descriptor)") }
        for (line, count) in wrong.sorted(by: { $0.key < $1.key }) { say("wrong \(count) times: \(line)") }
    }

    /// What is open when nothing more is closed for some seconds: a session's thread ends when it has closed its
    /// connections, and the servers notice that later. Without Dispatch's timers, one for each clock that is used.
    private static func settledDescriptors() async throws -> [String] {
        var fewest = Resources.descriptors
        var looks = 0
        while looks < 5 {
            try await Task.sleep(for: .seconds(1))
            let now = Resources.descriptors
            looks = now.count < fewest.count ? 0 : looks + 1
            if looks == 0 { fewest = now }
        }
        return fewest.filter { $0 != "anon_inode:[timerfd]" }
    }

    private static func play(_ rounds: Int, then report: (Int) -> Void = { _ in }) async throws -> [String: Int] {
        let theatre = try Theatre()
        let session = Engine.curl.makeSession(connectionsPerHost: 8)
        var wrong: [String: Int] = [:]
        for round in 1...rounds {
            for (name, outcome) in await theatre.wrongOutcomes(on: session, atOnce: 128) {
                wrong["\(name): \(outcome)", default: 0] += 1
            }
            report(round)
        }
        session.close()
        theatre.stop()
        return wrong
    }
}
