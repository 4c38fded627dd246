/// A property of a class that publishes its value before it changes.
///
/// When the property is set, first the `objectWillChange` of its ``ObservableObject`` is sent, then the new value
/// reaches the subscribers of the projected publisher, and then the property has it. Of values that are set at once, or
/// from inside a delivery, the one published last is the one that stays.
@propertyWrapper
public struct Published<Value> {
    @usableFromInline let storage: Storage

    /// Creates the property with its first value.
    @inlinable public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

    /// Creates the property with its first value.
    @inlinable public init(initialValue: Value) { storage = Storage(initialValue) }

    /// Publishes the property's value now, and each new one before the property has it.
    ///
    /// It can be written only by ``Publisher/assign(to:)``, which leaves it as it is.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        nonmutating set {}
    }

    /// Of no use: the property must belong to a class.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.set(newValue) }
    }

    /// The value, by way of the object the property belongs to.
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
    func announce(through publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
        storage.announce(through: publisher)
    }
}

extension Published {
    /// The publisher of a published property.
    public struct Publisher: CombineFallback.Publisher {
        /// The property's value.
        public typealias Output = Value

        /// It cannot fail.
        public typealias Failure = Never

        let storage: Storage

        /// Attaches `subscriber`: it gets the current value first.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            storage.broadcast().admit(subscriber, name: "PublishedSubject")
        }
    }
}
