/// The sources that the running code refreshes.
enum RefreshedSources: CallLocal {
    static let initial: Set<RefreshedSource> = []
}

/// A source that is refreshed for an account, or that signs in.
struct RefreshedSource: Hashable {
    enum Accounts: Hashable {
        case one(AccountIdentity?)
        case all
    }

    private let source: ObjectIdentifier
    private let accounts: Accounts

    init(of source: TokenSource, for accounts: Accounts) {
        (self.source, self.accounts) = (ObjectIdentifier(source), accounts)
    }
}
