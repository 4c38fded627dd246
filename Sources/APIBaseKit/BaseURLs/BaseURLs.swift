import Basics

/// The base URLs set for classes of APIs, which come before those of their request objects.
package struct BaseURLs: Sendable {
    /// One API: a class, with all that inherit from it.
    private struct Entry: Sendable {
        let api: APIBase.Type
        let url: URL
    }

    private var entries: [Entry] = []

    /// Whether nothing has been said.
    var isEmpty: Bool { entries.isEmpty }

    /// The base URLs that hold in the scope of the running code.
    @TaskLocal package static var inScope = BaseURLs()

    /// The base URLs that hold in the whole process.
    private static let ofProcess = Locked(BaseURLs())

    /// The base URL set for the calls of this class, in the scope or else in the process; `nil` if none is set.
    static func current(for api: APIBase.Type) -> URL? {
        inScope.url(for: api) ?? ofProcess.withLock { $0.url(for: api) }
    }

    static func setForProcess(_ url: URL?, for api: APIBase.Type) {
        ofProcess.withLock { $0.set(url, for: api) }
    }

    /// These, and another one for a class.
    package func with(_ url: URL, for api: APIBase.Type) -> BaseURLs {
        var urls = self
        urls.set(url, for: api)
        return urls
    }

    private mutating func set(_ url: URL?, for api: APIBase.Type) {
        entries.removeAll { $0.api == api }
        if let url { entries.append(Entry(api: api, url: url)) }
    }

    /// The URL of the nearest class that has an entry: this one or one that it inherits from; `nil` if none has.
    private func url(for api: APIBase.Type) -> URL? {
        guard !entries.isEmpty else { return nil }
        let fitting = entries.filter { api.isSubclass(of: $0.api) }
        return fitting.first { entry in fitting.allSatisfy { entry.api.isSubclass(of: $0.api) } }?.url
    }
}

extension APIBase {
    /// Whether this class is that one or inherits from it.
    fileprivate class func isSubclass(of other: APIBase.Type) -> Bool { other.isSuperclass(of: self) }

    private class func isSuperclass(of other: APIBase.Type) -> Bool { other is Self.Type }
}
