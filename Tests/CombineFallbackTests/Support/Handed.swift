/// Lets the test's threads share what guards itself.
struct Handed<Value>: @unchecked Sendable {  // unchecked: only for subjects and cancellables, which lock
    let value: Value
    init(_ value: Value) { self.value = value }
}
