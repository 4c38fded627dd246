import APIBaseKit
import Answers
import RedisStores

/// Waits for a limit that all replicas share: `run 50 10` takes turns of 50 a second for ten seconds.
struct LimitJob: Job {
    private let limiter: RedisLimiter

    init(_ redis: Redis) { limiter = RedisLimiter(on: redis) }

    func answer(_ command: String, _ numbers: [Int]) async -> Answer {
        var answer = Answer()
        let limit = RateLimit.Policy(quota: numbers[0], window: .seconds(1))
        let end = ContinuousClock.now + .seconds(numbers[1])
        while true {
            do {
                let wait = try await limiter.wait(for: "api", limit: limit, now: Date())
                guard .now + wait < end else { return answer }
                if wait > .zero { try await Task.sleep(for: wait) }
                answer.done += 1
                answer.times.append(Date().timeIntervalSince1970)
            } catch {
                answer.errors.append("\(error)")
                if .now > end { return answer }
            }
        }
    }
}
