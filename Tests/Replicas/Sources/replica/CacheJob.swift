import APIBaseKit
import Answers
import RedisStores

/// Calls whose responses are kept for all replicas.
///
/// `get 7 2` gets resource 7 as user 2, `all 125 100` makes 125 calls for 100 resources in an order of its own, `change 7`
/// changes a resource, and `purge` empties the cache.
struct CacheJob: Job {
    private let cache: ResponseCache

    init(_ redis: Redis) throws { cache = ResponseCache(try RedisResponseStorage("api", on: redis)) }

    func answer(_ command: String, _ numbers: [Int]) async -> Answer {
        var answer = Answer()
        switch command {
        case "get": answer.add(await result(of: ResourceRequest(numbers[0]), as: numbers[1]))
        case "change": answer.add(await result(of: ChangeRequest(numbers[0]), as: numbers[1]))
        case "all":
            let order = (0..<numbers[0]).map { $0 % numbers[1] }.shuffled()
            for number in order { answer.add(await result(of: ResourceRequest(number), as: 0)) }
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
