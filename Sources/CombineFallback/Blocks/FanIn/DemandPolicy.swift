/// The rule for the demand on the publisher of an inlet.
@usableFromInline enum DemandPolicy {
    /// Everything, at once.
    case all
    /// So many values, and another when one has been delivered.
    case few(Subscribers.Demand)
    /// The demand of downstream.
    case asDemanded
    /// One value, and another when that has been delivered; everything if downstream wants everything.
    case oneByOne

    /// The demand on the publisher when the subscription comes and downstream has asked for `demand`.
    @inlinable func first(under demand: Subscribers.Demand) -> Subscribers.Demand {
        switch self {
        case .all: .unlimited
        case .few(let count): count
        case .asDemanded: demand
        case .oneByOne: demand == .unlimited ? demand : .max(1)
        }
    }

    /// Whether `demand` is passed on when downstream asks for so many more.
    @inlinable func passesOn(_ demand: Subscribers.Demand) -> Bool {
        switch self {
        case .asDemanded: true
        case .oneByOne: demand == .unlimited
        case .all, .few: false
        }
    }

    /// Whether another value is asked for when one has been delivered and downstream has asked for `demand`.
    @inlinable func refills(under demand: Subscribers.Demand) -> Bool {
        switch self {
        case .oneByOne: demand != .unlimited
        case .few: true
        case .all, .asDemanded: false
        }
    }
}
