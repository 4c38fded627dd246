package import HTTPTransport

/// The settings that a call takes of its request object and its account when it begins, besides its request and its
/// session.
///
/// Equal calls of a class have equal requests and equal settings. So a new setting is one of these, or a part of the
/// request, and is then compared: the compiler refuses one that cannot be.
package struct CallSettings: Hashable, Sendable {
    package let account: APIAccount?
    package let authorization: Authorization?
    package let secretHeaders: Set<String>
    package let limits: ExchangeRequest.Limits
    package let retry: RetryPolicy
    let features: CallFeatures

    /// The settings of an object, those of its account first.
    package init(of api: APIBase, in accounts: Accounts) {
        account = api.account(in: accounts)
        authorization = account?.authorization ?? api.authorization
        secretHeaders = api.allSecretHeaders(of: account)
        limits = api.limits
        retry = api.retry
        features = api.features.replaced(by: account?.features)
    }
}
