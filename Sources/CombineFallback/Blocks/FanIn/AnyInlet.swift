/// An inlet without the type of its values. The lock of its ``Outlet`` guards everything here that changes.
@usableFromInline class AnyInlet {
    @usableFromInline let policy: DemandPolicy
    /// Whether downstream gets its subscription when this publisher sends its own.
    @usableFromInline let begins: Bool
    /// Runs a delivery elsewhere; nil to deliver where the values come from.
    @usableFromInline let schedule: ((@escaping () -> Void) -> Void)?
    @usableFromInline var isOpen = false
    /// Nil until it has come, and once the inlet is closed.
    @usableFromInline var subscription: (any Subscription)?
    /// Its place among the outlet's inlets.
    @usableFromInline var index = 0

    @inlinable init(_ policy: DemandPolicy, begins: Bool = false, schedule: ((@escaping () -> Void) -> Void)? = nil) {
        (self.policy, self.begins, self.schedule) = (policy, begins, schedule)
    }
}
