import Basics

/// Counts of the removals of replies to URLs, so that what was asked for before one is not stored after it.
final class RemovalCounts: Sendable {
    /// Of several URLs with one count, each removal counts for all: then a reply is not stored which could have been.
    private let counts = Locked([Int](repeating: 0, count: 256))

    private func index(of name: String) -> Int { Int(UInt(bitPattern: name.hashValue) % 256) }

    func count(for name: String) -> Int { counts.withLock { $0[index(of: name)] } }
    func increase(for name: String) { counts.withLock { $0[index(of: name)] += 1 } }
}
