import APIBaseKit

/// The token of one user on a Redis-compatible server, with one refresh among all replicas.
///
/// The lock of a refresh ends with its lease if its holder dies. One that was stopped for longer than that does not
/// overwrite what others have stored since. Tokens can be read on the server unless they are encrypted.
public final class RedisTokenStore: TokenStore {
    /// Encrypts a token, and decrypts it.
    public typealias Seal = (encrypt: @Sendable (Data) throws -> Data, decrypt: @Sendable (Data) throws -> Data)

    private let (redis, key, lock, seal): (Redis, String, RedisLock, Seal)

    /// Creates a store for the user with this name. By default, tokens are stored as they are.
    public init(_ name: String, on redis: Redis, lease: Duration = .seconds(5), seal: Seal = ({ $0 }, { $0 })) throws {
        (self.redis, key, self.seal) = (redis, try Redis.key("token", name), seal)
        lock = RedisLock(redis: redis, key: key + ":lock", lease: lease)
    }

    /// The stored token.
    public func load() async throws -> StoredToken? { try await stored().token }

    private func stored() async throws -> (bytes: Data, token: StoredToken?, isRemoved: Bool) {
        guard let bytes = try await redis.run(["GET", key]).data else { return (Data(), nil, false) }
        if bytes == Data("removed".utf8) { return (bytes, nil, true) }
        do { return (bytes, try JSONDecoder().decode(StoredToken.self, from: seal.decrypt(bytes)), false) } catch {
            throw RedisError.notAToken
        }
    }

    /// Stores a token if the present one is still `old`. While the server cannot do so, it is tried again until the
    /// lease has passed, since `old` may be of no use any more.
    public func replace(_ old: StoredToken?, with new: StoredToken) async throws -> StoredToken {
        let value = try seal.encrypt(JSONEncoder().encode(new))
        let end = ContinuousClock.now + lock.lease
        while true {
            do {
                let present = try await stored()
                if let token = present.token, token != old { return token }
                if present.isRemoved, old != nil { throw CancellationError() }  // else the server has lost its data
                let fence = old == nil ? lock.number.map(String.init) ?? "" : ""
                let (keys, values) = ([key, lock.numberKey], [present.bytes, value, fence] as [any RedisValue])
                let reply = try await redis.run(Self.swapping, keys: keys, values)
                if reply == .number(1) { return new }
                if reply == .none { throw RedisError.lockLost }
            } catch let error as RedisError where error != .lockLost && error != .notAToken && .now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Stores a token, unless another is stored, or others have had the lock since the holder with this number.
    private static let swapping = """
        local number = redis.call('GET', KEYS[2])
        if ARGV[3] ~= '' and number and number ~= ARGV[3] then return false end
        if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
        return redis.call('SET', KEYS[1], ARGV[2]) and 1
        """

    /// Runs `body` while no other task or process has the lock. The wait for it ends if the task is canceled.
    public func exclusively<R>(_ body: () async throws -> R) async throws -> R { try await lock.hold(body) }

    /// Removes the token, and leaves a mark.
    public func removeAll() async throws { try await exclusively { _ = try await redis.run(["SET", key, "removed"]) } }
}
