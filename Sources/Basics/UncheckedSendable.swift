/// A value of a type that is not `Sendable`, where its use is safe for a reason that the compiler does not know.
///
/// Each use has that reason beside it. State that changes belongs into ``Locked``.
@usableFromInline
package struct UncheckedSendable<Value>: @unchecked Sendable {  // unchecked: whoever makes one gives the reason
    @usableFromInline package let value: Value

    /// Takes the value as it is.
    @inlinable package init(_ value: Value) { self.value = value }
}
