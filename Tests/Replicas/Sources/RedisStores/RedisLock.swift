import APIBaseKit

/// A lock among processes, which ends with its lease unless its holder renews it.
///
/// Each holder gets a greater number than all before, by which one that was stopped for longer is found out.
struct RedisLock: Sendable {
    let redis: Redis
    let key: String
    let lease: Duration

    /// The lock of the running code.
    @TaskLocal private static var held: (key: String, number: Int)?

    /// The key of the number of the last holder.
    var numberKey: String { key + ":number" }
    /// The number of the running code; `nil` if it has no lock.
    var number: Int? { Self.held.flatMap { $0.key == key ? $0.number : nil } }

    /// Runs `body` with the lock; at once within itself.
    func hold<R>(_ body: () async throws -> R) async throws -> R {
        if number != nil { return try await body() }
        let owner = UUID().uuidString
        let result: Result<R, any Error>
        do {
            let number = try await take(as: owner)
            let renewal = Task {
                while true {
                    try await Task.sleep(for: lease / 3)
                    _ = try? await redis.run(Self.keeping, keys: [key], [owner, lease])
                }
            }
            defer { renewal.cancel() }
            result = .success(try await Self.$held.withValue((key, number), operation: body))
        } catch {
            result = .failure(error)
        }
        // If this fails, the lock ends with its lease.
        _ = try? await redis.run(Self.keeping, keys: [key], [owner, "0"])
        return try result.get()
    }

    /// Takes the lock as soon as it is free, within six leases.
    private func take(as owner: String) async throws -> Int {
        let end = ContinuousClock.now + lease * 6
        var pause = 5.0
        while true {
            let reply = try await redis.run(Self.taking, keys: [key, numberKey], [owner, lease])
            if case .number(let number) = reply { return number }
            guard .now < end else { throw RedisError.lockNotFree }
            try await Task.sleep(for: .milliseconds(pause * .random(in: 0.5...1)))
            pause = min(1.5 * pause, 100)
        }
    }

    /// The time is a greater number also if the server has lost the last one.
    private static let taking = """
        local owner, time = redis.call('GET', KEYS[1]), redis.call('TIME')
        if owner and owner ~= ARGV[1] then return false end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
        local number = math.max((redis.call('GET', KEYS[2]) or 0) + 1, time[1] * 1000000 + time[2])
        redis.call('SET', KEYS[2], number)
        return number
        """

    /// Renews the lock of an owner; for no time, releases it.
    static let keeping = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end"
}
