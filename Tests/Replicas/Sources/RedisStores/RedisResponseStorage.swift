import APIBaseKit

/// The responses of a cache on a Redis-compatible server, for all replicas.
///
/// The keys are digests of URLs and credentials. The responses can be read on the server.
public struct RedisResponseStorage: ResponseStorage {
    /// The time after which a response is removed, fresh or not.
    public var lifetime = Duration.seconds(86_400)
    /// The size in bytes above which a response is not stored.
    public var largest = 1 << 20
    /// How long replicas that miss a response wait for the first of them to store it. With zero, each sends a request.
    public var patience = Duration.zero
    private let (redis, key, id): (Redis, String, String)

    /// Creates a storage for the cache with this name.
    public init(_ name: String, on redis: Redis) throws {
        (self.redis, key, id) = (redis, try Redis.key("cache", name), UUID().uuidString)
    }

    /// The bytes for a key.
    public func data(for key: ResponseKey) async throws -> Data? {
        let end = ContinuousClock.now + patience
        let values: [any RedisValue] = [key.url, key.user] + (patience > .zero ? [id, patience] : [])
        while true {
            let reply = try await redis.run(Self.reading, keys: [self.key], values)
            guard reply == .number(1), .now < end else { return reply.data }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Stores bytes. Too many are no error, but nothing is stored then.
    public func store(_ data: Data, for key: ResponseKey) async throws {
        let value = data.count > largest ? Data() : data
        _ = try await redis.run(Self.storing, keys: [self.key], [key.url, key.user, value, lifetime])
    }

    /// Removes what is stored for a URL, of all users.
    public func removeAll(for url: ResponseKey.URLDigest) async throws {
        _ = try await redis.run(Self.removing, keys: [key], [url])
    }

    /// Removes everything at once: it is not found any more, and goes with its lifetime.
    public func removeAll() async throws { _ = try await redis.run(["DEL", key]) }

    /// The key has a generation, which is part of the other keys. The first that misses a response marks it as asked for.
    private static let reading = """
        local key = table.concat({KEYS[1], redis.call('GET', KEYS[1]) or '', ARGV[1], ARGV[2]}, ':')
        local data, asked = redis.call('GET', key), key .. ':asked'
        if data or not ARGV[3] or redis.call('SET', asked, ARGV[3], 'PX', ARGV[4], 'NX') then return data end
        return redis.call('GET', asked) ~= ARGV[3] and 1
        """

    /// A generation is a time, so that none returns. Each URL has its users, by the times of their ends.
    private static let storing = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('SET', KEYS[1], time[1] .. '.' .. time[2], 'NX')
        local users = table.concat({KEYS[1], redis.call('GET', KEYS[1]), ARGV[1]}, ':')
        redis.call('DEL', users .. ':' .. ARGV[2] .. ':asked')
        if ARGV[3] == '' then return redis.call('DEL', users .. ':' .. ARGV[2]) end
        redis.call('ZREMRANGEBYSCORE', users, '-inf', now)
        redis.call('ZADD', users, now + ARGV[4], ARGV[2])
        redis.call('PEXPIRE', users, ARGV[4])
        redis.call('SET', users .. ':' .. ARGV[2], ARGV[3], 'PX', ARGV[4])
        """

    private static let removing = """
        local users = table.concat({KEYS[1], redis.call('GET', KEYS[1]) or '', ARGV[1]}, ':')
        for _, user in ipairs(redis.call('ZRANGE', users, 0, -1)) do redis.call('DEL', users .. ':' .. user) end
        redis.call('DEL', users)
        """
}
