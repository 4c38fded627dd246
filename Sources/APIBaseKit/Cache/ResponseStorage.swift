/// A place in which a cache keeps its replies: implement it to keep them elsewhere than in memory or in a folder.
///
/// What is stored is whole or not there: bytes that come back cut off or changed are noticed and thrown away.
public protocol ResponseStorage: Sendable {
    /// The bytes that were stored last; nil if there are none.
    func data(for key: ResponseKey) async throws -> Data?

    /// Stores bytes in place of what was there.
    func store(_ data: Data, for key: ResponseKey) async throws

    /// Removes what is stored for a URL, whoever it was for.
    func removeAll(for url: ResponseKey.URLDigest) async throws

    /// Removes everything.
    func removeAll() async throws
}

/// The key by which a cache finds replies. It shows neither the URL nor the credentials: both are digests.
public struct ResponseKey: Sendable, Hashable {
    /// The digest of a URL: 64 hexadecimal digits.
    public typealias URLDigest = String

    /// The digest of the URL: 64 hexadecimal digits.
    public let url: URLDigest

    /// The digest of the credentials: 64 hexadecimal digits.
    public let user: String

    /// A key of two digests.
    package init(url: URLDigest, user: String) {
        self.url = url
        self.user = user
    }
}
