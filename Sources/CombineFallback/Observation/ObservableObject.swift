/// An object that publishes before it changes.
///
/// In a class with ``Published`` properties, own or inherited, the default ``objectWillChange`` publishes before each
/// of them changes.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Publishes before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Publishes before a ``Published`` property of the object changes. Each call returns the same publisher.
    ///
    /// The properties, found by reflection in the class and its superclasses, store the publisher. A class without such
    /// properties gets a new publisher at each call, and has to store its own.
    public var objectWillChange: ObservableObjectPublisher {
        var shared: ObservableObjectPublisher?
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for case let (_, property as any ObservableProperty) in level.children {
                // The first property decides, also when two threads do this at once.
                let publisher = property.useWillChange(shared ?? ObservableObjectPublisher())
                if shared == nil { shared = publisher }
            }
            mirror = level.superclassMirror
        }
        return shared ?? ObservableObjectPublisher()
    }
}

/// A property that sends its object's publisher before it changes.
protocol ObservableProperty {
    /// Sets the publisher to send before each change, unless there is one. Returns the one that is used.
    func useWillChange(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher
}

/// A publisher of an object's changes.
public final class ObservableObjectPublisher: Publisher {
    /// An empty value before each change.
    public typealias Output = Void

    /// The publisher never fails.
    public typealias Failure = Never

    private let broadcast = Broadcast<Void, Never>(memory: .none)

    /// Creates a publisher without subscribers.
    public init() {}

    deinit { broadcast.cancelUpstreams() }

    /// Publishes before a change of the object.
    public func send() { broadcast.send(()) }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        broadcast.subscribe(subscriber, name: "ObservableObjectPublisher", of: self)
    }
}
