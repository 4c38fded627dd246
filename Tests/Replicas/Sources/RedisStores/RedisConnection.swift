import APIBaseKit
import CHiredis

/// One connection, made when it is needed, and again after an error. Only its queue touches it.
final class RedisConnection: @unchecked Sendable {
    private let options: Redis.Options
    private let queue = DispatchQueue(label: "RedisConnection")
    private var context: UnsafeMutablePointer<redisContext>? { didSet { redisFree(oldValue) } }

    init(_ options: Redis.Options) { self.options = options }
    deinit { redisFree(context) }

    /// The reply to a command. hiredis blocks, as the threads of tasks must not, so it runs on the queue.
    func reply(to command: [any RedisValue], until end: ContinuousClock.Instant) async throws -> RedisReply {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.run(command, until: end) }) }
        }
    }

    private func run(_ command: [any RedisValue], until end: ContinuousClock.Instant) throws -> RedisReply {
        // The server may have closed it since.
        if context != nil { do { return try send(command, until: end) } catch RedisError.unreachable {} }
        context = redisConnectWithTimeout(options.host, Int32(options.port), try timeLeft(until: end))
        guard context?.pointee.err == 0 else { throw failure(end) }
        do { if let account = options.account?() { _ = try send(["AUTH"] + account, until: end) } } catch {
            context = nil
            throw error
        }
        return try send(command, until: end)
    }

    private func send(_ command: [any RedisValue], until end: ContinuousClock.Instant) throws -> RedisReply {
        var bytes = Data("*\(command.count)\r\n".utf8)
        for part in command.map(\.redisBytes) { bytes += Data("$\(part.count)\r\n".utf8) + part + Data("\r\n".utf8) }
        redisSetTimeout(context, try timeLeft(until: end))
        bytes.withUnsafeBytes { _ = redisAppendFormattedCommand(context, $0.baseAddress, $0.count) }
        var reply: UnsafeMutableRawPointer?
        guard redisGetReply(context, &reply) == REDIS_OK, let reply else { throw failure(end) }
        defer { freeReplyObject(reply) }
        return try RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }

    private func timeLeft(until end: ContinuousClock.Instant) throws -> timeval {
        let microseconds = Int((end - .now) / .microseconds(1))
        guard microseconds > 0 else { throw RedisError.timedOut }
        return timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    }

    /// The error of the connection, which ends: a late reply must not answer the next command.
    private func failure(_ end: ContinuousClock.Instant) -> RedisError {
        context = nil
        return end - .milliseconds(2) < .now ? .timedOut : .unreachable
    }
}
