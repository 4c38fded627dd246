import Basics

/// An account as the context hands it on: see ``APIAccount``.
package protocol AccountSettings: Sendable {
    var baseURL: URL? { get set }
}

/// The identity of an account, by which tokens and limits are kept apart. Equal accounts have equal keys.
struct AccountIdentity: Hashable, Sendable {
    /// Unchecked: an account, which is a value, and is only compared.
    private let account: UncheckedSendable<AnyHashable>

    init(_ account: some AccountSettings & Hashable) { self.account = UncheckedSendable(AnyHashable(account)) }

    static func == (left: AccountIdentity, right: AccountIdentity) -> Bool { left.account.value == right.account.value }
    func hash(into hasher: inout Hasher) { hasher.combine(account.value) }
}

/// The accounts and base URLs that are set for API classes. They take precedence over what the request objects say.
package struct Accounts: Sendable {
    /// What is set for one class and its subclasses.
    private struct Entry: Sendable {
        let api: any AnyObject.Type
        var account: (any AccountSettings)?
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

    func account(for api: any AnyObject.Type) -> (any AccountSettings)? { entry(for: api)?.account }

    func baseURL(for api: any AnyObject.Type) -> URL? { entry(for: api)?.baseURL }

    /// These, with an account that replaces that of the class.
    func with(_ account: any AccountSettings, for api: any AnyObject.Type) -> Accounts {
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
