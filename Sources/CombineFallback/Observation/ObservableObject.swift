/// An object that says when it is about to change.
///
/// A class with ``Published`` properties, its own or inherited, needs to do nothing for that: the default
/// ``objectWillChange`` is sent before each of them changes.
public protocol ObservableObject: AnyObject {
    /// The kind of publisher that tells of changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Publishes before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Publishes before a ``Published`` property of the object changes; always the same publisher.
    ///
    /// The properties are found by reflection, superclasses included, and keep the publisher between them. Without any
    /// there is nowhere to keep it, and each call returns another: such a class stores one of its own.
    public var objectWillChange: ObservableObjectPublisher {
        var shared: ObservableObjectPublisher?
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for case let (_, property as any ObservableProperty) in level.children {
                // The first property decides, also between threads; the others follow it.
                let publisher = property.announce(through: shared ?? ObservableObjectPublisher())
                if shared == nil { shared = publisher }
            }
            mirror = level.superclassMirror
        }
        return shared ?? ObservableObjectPublisher()
    }
}

/// A property that announces its changes through a publisher of the object it belongs to.
protocol ObservableProperty {
    /// Announces changes through `publisher`, unless there is one already; returns the one that is used.
    func announce(through publisher: ObservableObjectPublisher) -> ObservableObjectPublisher
}
