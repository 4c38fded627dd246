import APIBaseKit
import Answers
import RedisStores

/// Calls whose responses are kept for all replicas.
///
/// `get 7 2` gets resource 7 as user 2, `change 7 2` changes it, `part 3 100` gets those of 100 with rest 3 by eight,
/// `all 125 100` makes 125 calls of 100 in an order of its own, and `purge` empties the cache.
struct CacheJob: Job {
    private let cache: ResponseCache

    init(_ redis: Redis) throws {
        var storage = try RedisResponseStorage("api", on: redis)
        storage.patience = .seconds(1)
        cache = ResponseCache(storage)
    }

    func answer(_ command: String, _ numbers: [Int]) async -> Answer {
        var answer = Answer()
        switch command {
        case "get": answer.add(await result(of: ResourceRequest(numbers[0]), as: numbers[1]))
        case "change": answer.add(await result(of: ChangeRequest(numbers[0]), as: numbers[1]))
        case "part":
            for number in stride(from: numbers[0], to: numbers[1], by: 8) {
                answer.add(await result(of: ResourceRequest(number), as: 0))
            }
        case "all":
            for number in (0..<numbers[0]).shuffled() {
                answer.add(await result(of: ResourceRequest(number % numbers[1]), as: 0))
            }
        default: await cache.removeAll()
        }
        return answer
    }

    private func result<R: APIRequest & UpstreamAPI>(of request: R, as user: Int) async -> Result<String, any Error>
    where R.ModelType == String {
        let account = APIAccount(authorization: .bearer("secret-token-\(user)"), cache: cache)
        do { return .success(try await request.on(account).value()) } catch { return .failure(error) }
    }
}

private final class ResourceRequest: UpstreamAPI, APIRequest {
    typealias ModelType = String
    init(_ number: Int) { super.init(.get("/secret-resources/\(segment: number)")) }
}

private final class ChangeRequest: UpstreamAPI, APIRequest {
    typealias ModelType = String
    init(_ number: Int) { super.init(.put("/secret-resources/\(segment: number)")) }
}
