import Basics

/// The accounts and base URLs that are set for API classes. They take precedence over what the request objects say.
package struct Accounts: Sendable {
    /// What is set for one class and its subclasses.
    private struct Entry: Sendable {
        let api: any AnyObject.Type
        var account: APIAccount?
        /// The base URL for calls without an account, and for those of an account that has none.
        var baseURL: URL?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Those of the running code's scope.
    @TaskLocal package static var inScope = Accounts()

    private static let ofProcess = Locked(Accounts())

    static func baseURLOfProcess(for api: any AnyObject.Type) -> URL? {
        ofProcess.withLock { $0.baseURL(for: api) }
    }

    static func setForProcess(_ url: URL?, for api: any AnyObject.Type) {
        ofProcess.withLock { accounts in
            accounts.entries.removeAll { $0.api == api }
            if let url { accounts.entries.append(Entry(api: api, baseURL: url)) }
        }
    }

    func account(for api: any AnyObject.Type) -> APIAccount? { entry(for: api)?.account }

    func baseURL(for api: any AnyObject.Type) -> URL? { entry(for: api)?.baseURL }

    /// These, with an account that replaces that of the class.
    func with(_ account: APIAccount, for api: any AnyObject.Type) -> Accounts {
        setting(Entry(api: api, account: account, baseURL: baseURL(for: api)))
    }

    /// These, with another base URL for the class, which replaces that of its account.
    package func with(_ url: URL, for api: any AnyObject.Type) -> Accounts {
        var account = account(for: api)
        account?.baseURL = nil
        return setting(Entry(api: api, account: account, baseURL: url))
    }

    private func setting(_ entry: Entry) -> Accounts {
        var accounts = self
        accounts.entries.removeAll { $0.api == entry.api }
        accounts.entries.append(entry)
        return accounts
    }

    /// The entry of the nearest class that has one: this class or a superclass.
    private func entry(for api: any AnyObject.Type) -> Entry? {
        guard !entries.isEmpty else { return nil }
        let fitting = entries.filter { Self.is(api, a: $0.api) }
        return fitting.first { entry in fitting.allSatisfy { Self.is(entry.api, a: $0.api) } }
    }

    private static func `is`<Other: AnyObject>(_ api: any AnyObject.Type, a other: Other.Type) -> Bool {
        api is Other.Type
    }
}

extension APIBase {
    /// The topmost class of this object's API: the last one below the kit's own classes.
    var apiClass: any AnyObject.Type { APIClasses.shared.topmost(of: self) }
}

/// The topmost classes of APIs, by their leaf classes.
private final class APIClasses: Sendable {
    static let shared = APIClasses()

    private let known = Locked<[ObjectIdentifier: any AnyObject.Type]>([:])

    func topmost(of object: APIBase) -> any AnyObject.Type {
        let type = type(of: object)
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        let superclasses = Mirror(reflecting: object).superclassMirror
        let topmost: any AnyObject.Type = Self.topmost(of: type, superclasses: superclasses)
        known.withLock { $0[ObjectIdentifier(type)] = topmost }
        return topmost
    }

    private static func topmost(of type: APIBase.Type, superclasses: Mirror?) -> any AnyObject.Type {
        var topmost: any AnyObject.Type = type
        var next = superclasses
        while let mirror = next, let above = mirror.subjectType as? APIBase.Type,
            above != JSONAPI.self, above != APIBase.self
        {
            topmost = above
            next = mirror.superclassMirror
        }
        return topmost
    }
}
