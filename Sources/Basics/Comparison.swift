/// An object that is compared by identity, so that the type which holds it can be compared part by part.
@propertyWrapper
package struct ByIdentity<Object>: Hashable {
    package var wrappedValue: Object?

    package init(wrappedValue: Object?) { self.wrappedValue = wrappedValue }

    private var object: AnyObject? { wrappedValue.map { $0 as AnyObject } }

    package static func == (left: ByIdentity, right: ByIdentity) -> Bool { left.object === right.object }
    package func hash(into hasher: inout Hasher) { hasher.combine(object.map(ObjectIdentifier.init)) }
}

extension ByIdentity: Sendable where Object: Sendable {}

/// A value that cannot be compared, such as a closure, and of which all are equal.
@propertyWrapper
package struct NotCompared<Value>: Hashable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (left: NotCompared, right: NotCompared) -> Bool { true }
    package func hash(into hasher: inout Hasher) {}
}

extension NotCompared: Sendable where Value: Sendable {}
