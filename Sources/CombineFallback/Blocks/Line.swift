/// A publisher that feeds an ``Outlet``, whose lock guards everything here that changes.
@usableFromInline class Line {
    /// What the publisher is asked for.
    @usableFromInline enum Appetite {
        /// Everything, at once.
        case all
        /// So many values; more is asked for by whoever knows.
        case few(Subscribers.Demand)
        /// What downstream asks for.
        case asDemanded
        /// One value, and another when that has been delivered; everything if downstream wants everything.
        case oneByOne
    }

    @usableFromInline let appetite: Appetite
    /// Whether downstream gets its subscription when this publisher sends its own.
    @usableFromInline let begins: Bool
    /// Where values are delivered, if not where they come from.
    @usableFromInline let schedule: ((@escaping () -> Void) -> Void)?
    @usableFromInline var isOpen = false
    /// Nil until it has come, and once the line is closed.
    @usableFromInline var subscription: (any Subscription)?
    @usableFromInline var index = 0

    @inlinable init(_ appetite: Appetite, begins: Bool = false, schedule: ((@escaping () -> Void) -> Void)? = nil) {
        self.appetite = appetite
        self.begins = begins
        self.schedule = schedule
    }

    /// What is asked for when the subscription comes.
    @inlinable func first(of demand: Subscribers.Demand) -> Subscribers.Demand {
        switch appetite {
        case .all: .unlimited
        case .few(let count): count
        case .asDemanded: demand
        case .oneByOne: demand == .unlimited ? demand : .max(1)
        }
    }

    /// Whether the publisher is told that downstream has asked for more.
    @inlinable func hears(of demand: Subscribers.Demand) -> Bool {
        switch appetite {
        case .asDemanded: true
        case .oneByOne: demand == .unlimited
        case .all, .few: false
        }
    }

    /// Whether another value is asked for when one has been delivered.
    @inlinable func refills(under demand: Subscribers.Demand) -> Bool {
        switch appetite {
        case .oneByOne: demand != .unlimited
        case .few: true
        case .all, .asDemanded: false
        }
    }
}
