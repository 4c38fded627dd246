import Foundation

/// Replies as bytes and back: a magic with the version, the length of the head, the head as JSON, the bodies one after
/// another, and the SHA-256 of all that.
struct StoredReplies: Sendable, Equatable {
    /// The first bytes; the last of them is the version.
    private static let magic = Data("APIBaseKit replies\u{02}".utf8)

    /// The number of bytes that hold the length of the head, as a big-endian integer.
    private static let lengthCount = 8

    var replies: [StoredReply]

    init(_ replies: [StoredReply]) { self.replies = replies }

    /// Reads bytes. Nil if they are cut off, changed, of another version, or of a status that is never stored: nothing is
    /// taken from them then.
    init?(_ bytes: Data) {
        let start = Self.magic.count + Self.lengthCount
        guard bytes.count >= start + SHA256.count, bytes.starts(with: Self.magic) else { return nil }
        let content = bytes.dropLast(SHA256.count)
        guard SHA256.digest(of: content).elementsEqual(bytes.suffix(SHA256.count)) else { return nil }

        let digits = content.dropFirst(Self.magic.count).prefix(Self.lengthCount)
        let length = digits.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let rest = content.dropFirst(start)
        guard length <= UInt64(rest.count),
            let heads = try? JSONDecoder().decode([StoredReplyHead].self, from: Data(rest.prefix(Int(length))))
        else { return nil }
        var bodies = rest.dropFirst(Int(length))
        replies = []
        for head in heads {
            guard (0...bodies.count).contains(head.bodyCount) else { return nil }
            let reply = head.reply(body: Data(bodies.prefix(head.bodyCount)))
            guard CachedStatus.isStorable(reply.statusCode) else { return nil }
            replies.append(reply)
            bodies = bodies.dropFirst(head.bodyCount)
        }
        guard bodies.isEmpty else { return nil }
    }

    /// The bytes: the same for the same replies.
    var bytes: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let head = try encoder.encode(replies.map(StoredReplyHead.init))
            let bodyCount = replies.reduce(0) { $0 + $1.body.count }
            var bytes = Self.magic
            bytes.reserveCapacity(bytes.count + Self.lengthCount + head.count + bodyCount + SHA256.count)
            withUnsafeBytes(of: UInt64(head.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(head)
            for reply in replies { bytes.append(reply.body) }
            bytes.append(contentsOf: SHA256.digest(of: bytes))
            return bytes
        }
    }
}
