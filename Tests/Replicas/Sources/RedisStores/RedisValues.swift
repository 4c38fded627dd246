import APIBaseKit
import CHiredis

/// A part of a command: a text, bytes, or a time in milliseconds.
protocol RedisValue: Sendable { var redisBytes: Data { get } }

extension String: RedisValue { var redisBytes: Data { Data(utf8) } }
extension Data: RedisValue { var redisBytes: Data { self } }
extension Duration: RedisValue { var redisBytes: Data { Data("\(max(1, Int(self / .milliseconds(1))))".utf8) } }

/// The reply to a command.
enum RedisReply: Sendable, Hashable {
    case none, number(Int), data(Data)
    var data: Data? { if case .data(let data) = self { data } else { nil } }

    init(_ reply: redisReply) throws {
        let bytes = reply.str.map { Data(bytes: $0, count: reply.len) } ?? Data()
        switch reply.type {
        case REDIS_REPLY_NIL, REDIS_REPLY_ARRAY: self = .none
        case REDIS_REPLY_INTEGER: self = .number(Int(reply.integer))
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .data(bytes)
        // The rest of the text may have names and values in it.
        default: throw RedisError.refused(String(decoding: bytes.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
        }
    }
}

/// Why a store cannot do its work. It names no key, token or password.
public enum RedisError: LocalizedError, Sendable, Hashable {
    /// There is no connection, or no answer in time; or the server has refused, with this word, such as `OOM`.
    case unreachable, timedOut, refused(String)
    /// What is stored is no token, or is encrypted otherwise.
    case notAToken
    /// Others have had the lock for too long, or since the lock of this task has ended.
    case lockNotFree, lockLost
    /// The case in a sentence.
    public var errorDescription: String? { "The Redis server cannot be used: \(self)" }
}
