/// A value of a type that is not `Sendable`, where its use is safe for a reason that the compiler does not know.
///
/// Each use states that reason. Mutable state belongs in ``Locked``.
@usableFromInline
package struct UncheckedSendable<Value>: @unchecked Sendable {  // unchecked: each use gives the reason
    @usableFromInline package let value: Value

    /// Wraps the value.
    @inlinable package init(_ value: Value) { self.value = value }
}
