/// A feature of calls, such as a cache: a value that an API object or an account holds.
///
/// A feature is a module of its own. It brings its setting, an extension of ``APIBase`` and ``APIAccount`` over their
/// `features`, and its step. The core names no feature.
package protocol CallFeature: Sendable {
    /// The place of its step among those of the core.
    static var place: FeaturePlace { get }

    /// The object by which accounts with the feature are told apart: by default `nil`, if accounts do not have it.
    var owner: (any AnyObject & Sendable)? { get }

    /// The step around a call or its attempts; `nil` if the feature does not apply to the call.
    func step(in call: Call, isOfAccount: Bool) -> (any CallStep)?

    /// The step between the API's ``APIBase/intercept(_:next:)`` and the network; `nil` likewise.
    func sendingStep(in call: Call, isOfAccount: Bool) -> (any SendingStep)?
}

extension CallFeature {
    package var owner: (any AnyObject & Sendable)? { nil }
    package func step(in call: Call, isOfAccount: Bool) -> (any CallStep)? { nil }
    package func sendingStep(in call: Call, isOfAccount: Bool) -> (any SendingStep)? { nil }
}

/// The place of a feature's step among those of the core.
package enum FeaturePlace: Sendable {
    /// Around the call with its deadline and its retries.
    case aroundCall
    /// Around each attempt, before its request is built.
    case aroundAttempt
    /// Around each request that has been built, before it has credentials.
    case aroundRequest
    /// Around each request that is sent.
    case aroundExchange
}

/// The features of an API object or an account, one of each type, in the order in which they were set.
package struct CallFeatures: Sendable {
    private var list: [any CallFeature] = []

    package init() {}

    package subscript<Feature: CallFeature>(type: Feature.Type) -> Feature? {
        get {
            for feature in list { if let feature = feature as? Feature { return feature } }
            return nil
        }
        set {
            list.removeAll { $0 is Feature }
            if let newValue { list.append(newValue) }
        }
    }

    /// The objects by which accounts are told apart.
    var owners: [any AnyObject & Sendable] { list.compactMap(\.owner) }

    /// These features in calls of an account, whose features replace those of the same type.
    func held(with account: CallFeatures?) -> [HeldFeature] {
        let ofAccount = account?.list ?? []
        guard !list.isEmpty || !ofAccount.isEmpty else { return [] }
        let own = list.filter { feature in !ofAccount.contains { type(of: $0) == type(of: feature) } }
        return ofAccount.map { HeldFeature(feature: $0, isOfAccount: true) }
            + own.map { HeldFeature(feature: $0, isOfAccount: false) }
    }
}

extension CallFeatures: Equatable {
    package static func == (left: CallFeatures, right: CallFeatures) -> Bool {
        Set(left.owners.map { ObjectIdentifier($0) }) == Set(right.owners.map { ObjectIdentifier($0) })
    }
}

/// A feature of a call, of the request object or of the account.
struct HeldFeature: Sendable {
    let feature: any CallFeature
    let isOfAccount: Bool
}

extension [HeldFeature] {
    func at(_ place: FeaturePlace) -> [CallSteps.Maker] {
        filter { type(of: $0.feature).place == place }
            .map { held in { held.feature.step(in: $0, isOfAccount: held.isOfAccount) } }
    }

    var aroundExchange: [CallSteps.SendingMaker] {
        filter { type(of: $0.feature).place == .aroundExchange }
            .map { held in { held.feature.sendingStep(in: $0, isOfAccount: held.isOfAccount) } }
    }
}
