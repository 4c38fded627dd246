import Basics
import HTTPTransport

/// The accounts and base URLs that are set for API classes. They take precedence over what the request objects say.
package struct Accounts: Sendable {
    /// The account or the base URL of one class and its subclasses.
    private struct Entry: Sendable {
        enum Setting: Sendable {
            case account(any AccountSettings)
            case baseURL(URL)
        }

        let api: any AnyObject.Type
        let setting: Setting
        /// The subclasses to which the entry applies; `nil` for all.
        var includes: (@Sendable (any AnyObject.Type) -> Bool)?

        var isAccount: Bool { if case .account = setting { true } else { false } }
    }

    /// The entries, those of inner scopes last.
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// The accounts and base URLs of the running code's scope.
    @TaskLocal package static var inScope = Accounts()

    private static let ofProcess = Locked(Accounts())

    static func baseURLOfProcess(for api: any AnyObject.Type) -> URL? {
        ofProcess.withLock { $0.baseURL(for: api) }
    }

    static func setForProcess(_ url: URL?, for api: any AnyObject.Type) {
        ofProcess.withLock { accounts in
            accounts.entries.removeAll { $0.api == api }
            if let url { accounts.entries.append(Entry(api: api, setting: .baseURL(url))) }
        }
    }

    func account(for api: any AnyObject.Type) -> (any AccountSettings)? { accountEntry(for: api)?.value }

    /// The base URL of the class's account or of `withBaseURL`, whichever is the inner one.
    func baseURL(for api: any AnyObject.Type) -> URL? {
        let set = nearest(to: api) { if case .baseURL(let url) = $0 { url } else { nil } }
        guard let account = accountEntry(for: api), let url = account.value.baseURL else { return set?.value }
        return account.index > set?.index ?? -1 ? url : set?.value
    }

    private func accountEntry(for api: any AnyObject.Type) -> (value: any AccountSettings, index: Int)? {
        nearest(to: api) { if case .account(let account) = $0 { account } else { nil } }
    }

    /// A copy with an account for the class, which replaces the class's former one.
    func with(_ account: any AccountSettings, for api: any AnyObject.Type) -> Accounts {
        adding(Entry(api: api, setting: .account(account)))
    }

    /// A copy with a base URL for the class, which replaces the class's former one.
    package func with(_ url: URL, for api: any AnyObject.Type) -> Accounts {
        adding(Entry(api: api, setting: .baseURL(url)))
    }

    private func adding(_ entry: Entry) -> Accounts {
        var accounts = self
        accounts.entries.removeAll { $0.api == entry.api && $0.isAccount == entry.isAccount }
        accounts.entries.append(entry)
        return accounts
    }

    /// A copy in which the account of a class applies to its whole API: to the subclasses of `root` that are included.
    /// Their other accounts are left out. An account that is set for a superclass of `root` stays as it is.
    func extending(
        accountOf api: any AnyObject.Type,
        to root: any AnyObject.Type,
        including includes: @escaping @Sendable (any AnyObject.Type) -> Bool
    ) -> Accounts {
        guard let (account, index) = accountEntry(for: api), !Self.is(root, a: entries[index].api) else { return self }
        var accounts = self
        accounts.entries = entries.enumerated().compactMap { number, entry in
            if number == index { return Entry(api: root, setting: .account(account), includes: includes) }
            return entry.isAccount && Self.is(entry.api, a: root) && includes(entry.api) ? nil : entry
        }
        return accounts
    }

    /// The value of the nearest class that has one, this class or a superclass, and the index of its entry.
    private func nearest<Value>(
        to api: any AnyObject.Type,
        _ value: (Entry.Setting) -> Value?
    ) -> (value: Value, index: Int)? {
        var nearest: (value: Value, index: Int)?
        for (index, entry) in entries.enumerated() where Self.is(api, a: entry.api) {
            guard let value = value(entry.setting), entry.includes?(api) ?? true else { continue }
            if let known = nearest, !Self.is(entry.api, a: entries[known.index].api) { continue }
            nearest = (value, index)
        }
        return nearest
    }

    private static func `is`<Other: AnyObject>(_ api: any AnyObject.Type, a other: Other.Type) -> Bool {
        api is Other.Type
    }
}

/// An account as the context hands it on: see ``APIAccount``.
package protocol AccountSettings: Hashable, Sendable {
    var baseURL: URL? { get }
}

/// The identity of an account, by which tokens, limits and shared calls are kept apart. It keeps no object alive.
package struct AccountIdentity: Hashable, Sendable {
    /// An object that is compared by identity. A new object at the address of a former one is another.
    private struct Part: Hashable, Sendable {
        private let address: ObjectIdentifier
        private weak var object: (any AnyObject & Sendable)?

        init(_ object: any AnyObject & Sendable) { (address, self.object) = (ObjectIdentifier(object), object) }

        static func == (left: Part, right: Part) -> Bool {
            left.address == right.address && left.object === right.object
        }
        func hash(into hasher: inout Hasher) { hasher.combine(address) }
    }

    private let values: any AccountSettings
    private let objects: Set<Part>

    /// The identity of an account, of which `values` has all but these objects.
    init(values: any AccountSettings, objects: [(any AnyObject & Sendable)?]) {
        (self.values, self.objects) = (values, Set(objects.compactMap { $0.map(Part.init) }))
    }

    package static func == (left: AccountIdentity, right: AccountIdentity) -> Bool {
        AnyHashable(left.values) == AnyHashable(right.values) && left.objects == right.objects
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(values)) }
}
