import APIBaseKit
import Answers
import RedisStores

/// Calls through a gate whose limits all replicas share: `rate 50 10` calls for ten seconds, at 50 a second together;
/// `places 4 10` with 4 at a time.
struct LimitJob: Job {
    private let limiter: RedisLimiter
    private let name: String

    init(_ redis: Redis, name: String) { (limiter, self.name) = (RedisLimiter(on: redis), name) }

    func answer(_ command: String, _ numbers: [Int]) async -> Answer {
        let gate =
            switch command {
            case "rate":
                CallGate(perSecond: Double(numbers[0]), burst: numbers[0], shared: limiter, name: "rate", replicas: 8)
            default: CallGate(concurrent: numbers[0], shared: limiter, name: "places", replicas: 8)
            }
        let end = ContinuousClock.now + .seconds(numbers[1])
        return await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<8 {
                group.addTask { [name] in
                    var answer = Answer()
                    while ContinuousClock.now < end {
                        do {
                            answer.add(.success(try await WorkRequest(by: name, through: gate).value()))
                        } catch {
                            answer.add(.failure(error))
                        }
                    }
                    return answer
                }
            }
            return await group.reduce(into: Answer()) { sum, answer in
                sum.done += answer.done
                sum.errors += answer.errors
            }
        }
    }
}

/// Something that the upstream counts.
private final class WorkRequest: UpstreamAPI, APIRequest {
    typealias ModelType = String

    init(by replica: String, through gate: CallGate) {
        super.init(.post("/work"))
        headers["X-Replica"] = replica
        self.gate = gate
    }
}
