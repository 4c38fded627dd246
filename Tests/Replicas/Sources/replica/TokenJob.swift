import APIBaseKit
import Answers
import RedisStores

/// Calls with a token that all replicas share: `call 3` makes three at a time, `hold` keeps the lock until it is killed.
struct TokenJob: Job {
    private let store: RedisTokenStore
    private let account: APIAccount

    init(_ redis: Redis, _ upstream: URL, name: String) throws {
        let store = try RedisTokenStore("user", on: redis, lease: .seconds(2))
        self.store = store
        let tokens = TokenSource.stored(in: store, tokenAt: upstream.appendingPathComponent("token"), id: name)
        account = APIAccount(authorization: .tokens(tokens))
    }

    func answer(_ command: String, _ numbers: [Int]) async -> Answer {
        if command == "hold" { return await hold() }
        return await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<(numbers.first ?? 1) {
                group.addTask {
                    do { return .success(try await DataRequest().on(account).value()) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: Answer()) { $0.add($1) }
        }
    }

    private func hold() async -> Answer {
        _ = try? await store.exclusively {
            try Answer().write()
            try await Task.sleep(for: .seconds(3_600))
        }
        return Answer()
    }
}

/// Something that only the token opens.
private final class DataRequest: UpstreamAPI, APIRequest {
    typealias ModelType = String
    override init() { super.init(.get("/data")) }
}
