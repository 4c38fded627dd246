import Basics

/// Base URLs that are set for API classes. They take precedence over those of the request objects.
package struct BaseURLs: Sendable {
    /// The base URL of one class and its subclasses.
    private struct Entry: Sendable {
        let api: any AnyObject.Type
        let url: URL
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// The base URLs of the running code's scope.
    @TaskLocal package static var inScope = BaseURLs()

    private static let ofProcess = Locked(BaseURLs())

    /// The base URL set for this class, in the scope or else in the process; `nil` if none is set.
    static func current(for api: any AnyObject.Type) -> URL? {
        inScope.url(for: api) ?? ofProcess.withLock { $0.url(for: api) }
    }

    static func setForProcess(_ url: URL?, for api: any AnyObject.Type) {
        ofProcess.withLock { $0.set(url, for: api) }
    }

    /// These base URLs, with one more.
    package func with(_ url: URL, for api: any AnyObject.Type) -> BaseURLs {
        var urls = self
        urls.set(url, for: api)
        return urls
    }

    private mutating func set(_ url: URL?, for api: any AnyObject.Type) {
        entries.removeAll { $0.api == api }
        if let url { entries.append(Entry(api: api, url: url)) }
    }

    /// The URL of the nearest class with an entry: this one or a superclass.
    private func url(for api: any AnyObject.Type) -> URL? {
        guard !entries.isEmpty else { return nil }
        let fitting = entries.filter { Self.is(api, a: $0.api) }
        return fitting.first { entry in fitting.allSatisfy { Self.is(entry.api, a: $0.api) } }?.url
    }

    private static func `is`<Other: AnyObject>(_ api: any AnyObject.Type, a other: Other.Type) -> Bool {
        api is Other.Type
    }
}
