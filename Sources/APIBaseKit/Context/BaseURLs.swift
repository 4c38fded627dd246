import Basics

/// The base URLs set for classes of APIs, which come before those of their request objects.
package struct BaseURLs: Sendable {
    /// One API: a class, with all that inherit from it.
    private struct Entry: Sendable {
        let api: any AnyObject.Type
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
    static func current(for api: any AnyObject.Type) -> URL? {
        inScope.url(for: api) ?? ofProcess.withLock { $0.url(for: api) }
    }

    static func setForProcess(_ url: URL?, for api: any AnyObject.Type) {
        ofProcess.withLock { $0.set(url, for: api) }
    }

    /// These, and another one for a class.
    package func with(_ url: URL, for api: any AnyObject.Type) -> BaseURLs {
        var urls = self
        urls.set(url, for: api)
        return urls
    }

    private mutating func set(_ url: URL?, for api: any AnyObject.Type) {
        entries.removeAll { $0.api == api }
        if let url { entries.append(Entry(api: api, url: url)) }
    }

    /// The URL of the nearest class that has an entry: this one or one that it inherits from; `nil` if none has.
    private func url(for api: any AnyObject.Type) -> URL? {
        guard !entries.isEmpty else { return nil }
        let fitting = entries.filter { Self.is(api, a: $0.api) }
        return fitting.first { entry in fitting.allSatisfy { Self.is(entry.api, a: $0.api) } }?.url
    }

    /// Whether a class is another one or inherits from it.
    private static func `is`<Other: AnyObject>(_ api: any AnyObject.Type, a other: Other.Type) -> Bool {
        api is Other.Type
    }
}
