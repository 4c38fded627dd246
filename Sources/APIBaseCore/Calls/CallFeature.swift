/// A feature of calls, such as a cache: an object that a request object or an account holds.
///
/// Calls and accounts with the same object have the same feature, so another setting is another object. A feature is a
/// module of its own. It brings its setting, an extension of ``APIBase`` and ``APIAccount`` over their `features`, and
/// its step. The core names no feature.
package protocol CallFeature: AnyObject, Sendable {
    /// The position of its step among those of the core.
    static var position: StepPosition { get }

    /// Whether it runs code of users in attempts, such as a storage. Calls then keep the task locals for it. True by
    /// default.
    static var runsUserCode: Bool { get }

    /// The step around a call or its attempts; `nil` if the feature does not apply to the call.
    func step(in call: Call) -> (any CallStep)?

    /// The step between the API's ``APIBase/intercept(_:next:)`` and the network; `nil` likewise.
    func sendingStep(in call: Call) -> (any SendingStep)?
}

extension CallFeature {
    package static var runsUserCode: Bool { true }
    package func step(in call: Call) -> (any CallStep)? { nil }
    package func sendingStep(in call: Call) -> (any SendingStep)? { nil }
}

/// The position of a feature's step among those of the core.
package enum StepPosition: Sendable {
    /// Around the call with its deadline and its retries.
    case aroundCall
    /// Around each attempt, before its request is built.
    case aroundAttempt
    /// Around each request that has been built, before it has credentials.
    case aroundRequest
    /// Around each request that is sent.
    case aroundExchange
    /// Around each request that no stored response answers.
    case aroundSending
}

/// The features of an API object or an account, one of each type, in the order in which they were set.
package struct CallFeatures: Sendable {
    private(set) var list: [any CallFeature] = []

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

    /// The features of an account, and of these those of other types.
    func replaced(by account: CallFeatures?) -> CallFeatures {
        guard var all = account, !all.list.isEmpty else { return self }
        all.list += list.filter { feature in !all.list.contains { type(of: $0) == type(of: feature) } }
        return all
    }

    /// Whether a feature runs code of users in attempts.
    var runUserCode: Bool { list.contains { type(of: $0).runsUserCode } }

    func at(_ position: StepPosition) -> [any CallFeature] { list.filter { type(of: $0).position == position } }
}

extension CallFeatures: Hashable {
    private var objects: Set<ObjectIdentifier> { Set(list.map { ObjectIdentifier($0) }) }

    package static func == (left: CallFeatures, right: CallFeatures) -> Bool { left.objects == right.objects }
    package func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}
