import Basics

/// Where the calls of some APIs go, whatever their request objects say.
package struct BaseURLs: Sendable {
    /// One API: a class, with all that inherit from it.
    private struct Entry: Sendable {
        let api: APIBase.Type
        let url: URL
    }

    private var entries: [Entry] = []

    /// Whether nothing has been said.
    var isEmpty: Bool { entries.isEmpty }

    /// What holds in the scope of the code that runs.
    @TaskLocal package static var inScope = BaseURLs()

    /// What holds in the whole process.
    private static let ofProcess = Locked(BaseURLs())

    /// Where the calls of this class go; `nil` if nothing else has been said than what its objects say.
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

    /// That of the nearest class.
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
