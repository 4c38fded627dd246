import APIBaseKit

/// Limits that replicas share on a Redis-compatible server, by its clock.
public final class RedisLimiter: SharedLimiter {
    private let redis: Redis

    /// Creates a limiter.
    public init(on redis: Redis) { self.redis = redis }

    /// Reserves the next free moment: `quota` calls at once, and as many in each window on average.
    public func wait(for key: String, limit: RateLimit.Policy, now: Date) async throws -> Duration {
        let values = ["\(max(1, limit.quota))", "\(max(1, limit.window / .microseconds(1)))"]
        let reply = try await redis.run(Self.reserving, keys: Self.keys("rate", "pause", of: key), values)
        if case .number(let wait) = reply { return .microseconds(wait) } else { return .zero }
    }

    /// Has all calls wait; not shorter than before.
    public func pause(_ key: String, for duration: Duration) async throws {
        _ = try await redis.run(Self.pausing, keys: Self.keys("pause", of: key), [duration])
    }

    /// Takes a place, or keeps it.
    public func takePlace(_ id: String, for key: String, of count: Int, lease: Duration) async throws -> Bool {
        try await redis.run(Self.entering, keys: Self.keys("places", of: key), [id, "\(count)", lease]) == .number(1)
    }

    /// Gives a place back.
    public func leavePlace(_ id: String, for key: String) async throws {
        _ = try await redis.run(["ZREM"] + Self.keys("places", of: key) + [id])
    }

    private static func keys(_ parts: String..., of name: String) throws -> [String] {
        try parts.map { try Redis.key("limit", name) + ":" + $0 }
    }

    /// The generic cell rate algorithm. What is stored is the theoretical arrival time of the next call.
    private static let reserving = """
        local time, pause = redis.call('TIME'), redis.call('PTTL', KEYS[2])
        local now, interval = time[1] * 1000000 + time[2], ARGV[2] / ARGV[1]
        local arrival = math.max(redis.call('GET', KEYS[1]) or 0, now)
        local start = math.max(now, arrival - (ARGV[1] - 1) * interval, now + pause * 1000)
        arrival = math.max(arrival, start) + interval
        redis.call('SET', KEYS[1], arrival, 'PX', math.ceil((arrival - now) / 1000))
        return math.ceil(start - now)
        """

    private static let pausing =
        "if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end"

    /// The places are sorted by the ends of their leases.
    private static let entering = """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= ARGV[2] + 0 then return 0 end
        redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
        return redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[3]))
        """
}
