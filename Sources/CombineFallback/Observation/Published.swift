import Basics

/// A property of a class that publishes its value before it changes.
///
/// When the property is set, first the `objectWillChange` of its ``ObservableObject`` is sent, then the new value is
/// delivered to the subscribers of the projected publisher, and then it is stored. If values are set at the same time,
/// or during a delivery, the property keeps the one that was published last.
@propertyWrapper
public struct Published<Value> {
    @usableFromInline let storage: Storage

    /// Creates the property with its first value.
    @inlinable public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Creates the property with its first value.
    @inlinable public init(initialValue: Value) { storage = Storage(initialValue) }

    /// Publishes the property's value, and then each new one before it is stored.
    ///
    /// The setter exists for ``Publisher/assign(to:)`` and does nothing.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        nonmutating set {}
    }

    /// Unavailable: the property must belong to a class.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.set(newValue) }
    }

    /// The value of the object's property.
    @inlinable
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set { object[keyPath: storageKeyPath].storage.set(newValue) }
    }
}

extension Published: ObservableProperty {
    func useWillChange(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
        storage.useWillChange(publisher)
    }
}

extension Published {
    /// The publisher of a published property.
    public struct Publisher: CombineFallback.Publisher {
        /// The property's value.
        public typealias Output = Value

        /// The publisher never fails.
        public typealias Failure = Never

        let storage: Storage

        /// Attaches `subscriber`: it gets the current value first.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.broadcast().subscribe(subscriber, name: "PublishedSubject")
        }
    }
}

extension Publisher where Failure == Never {
    /// Stores each value in a published property, until the property is released.
    public func assign(to published: inout Published<Output>.Publisher) {
        let storage = published.storage
        let receiver = ClosureSubscriber<Output, Never>(
            receiveValue: { [weak buffer = storage.state.storage] value in
                if let buffer { Published<Output>.Storage(state: Locked(storage: buffer)).set(value) }
            },
            receiveCompletion: { _ in }
        )
        subscribe(receiver)
        storage.keep(AnyCancellable(idempotent: receiver))
    }
}
