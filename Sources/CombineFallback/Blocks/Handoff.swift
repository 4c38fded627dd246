/// Carries a value to where it is used next, and never uses it where it came from again.
///
/// Combine's closures and values are not `Sendable`; its contract is that their calls never overlap. This is the one
/// place where they cross into what asks for `Sendable`: queues, run loops and continuations.
// unchecked: serial delivery, which every publisher keeps, is what makes it safe
@usableFromInline struct Handoff<Value>: @unchecked Sendable {
    @usableFromInline let value: Value

    @inlinable init(_ value: Value) { self.value = value }
}
