/// What one subscriber's stage remembers. Only upstream's calls touch it, and those never overlap.
@usableFromInline final class Cell<Value> {
    @usableFromInline var value: Value

    @inlinable init(_ value: Value) { self.value = value }
}
