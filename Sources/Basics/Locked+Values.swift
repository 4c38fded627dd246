extension Locked {
    /// The value of a key, which is made when it is first asked for.
    package func value<Key: Hashable, Value: Sendable>(of key: Key, _ make: () -> Value) -> Value
    where State == [Key: Value] {
        withLockUnchecked { values in
            let value = values[key] ?? make()
            values[key] = value
            return value
        }
    }
}
