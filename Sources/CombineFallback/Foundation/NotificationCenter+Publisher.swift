#if !canImport(Combine)
public import Foundation

extension NotificationCenter {
    /// Publishes the notifications with a name, of one sender or, if `object` is nil, of all.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// A publisher of notifications.
    ///
    /// Each subscriber observes the center from its subscription until it cancels. A notification without demand is
    /// dropped.
    public struct Publisher: CombineFallback.Publisher, Equatable {
        /// A notification.
        public typealias Output = Notification

        /// The publisher never fails.
        public typealias Failure = Never

        /// The center to which notifications are posted.
        public let center: NotificationCenter

        /// The name of the notifications that are published.
        public let name: Notification.Name

        /// The sender of the notifications that are published; any sender if nil.
        public let object: AnyObject?

        /// Creates the publisher.
        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            (self.center, self.name, self.object) = (center, name, object)
        }

        /// Attaches `subscriber`.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let broadcast = Broadcast<Notification, Never>(memory: .none)
            let observer = center.addObserver(forName: name, object: object, queue: nil) { broadcast.send($0) }
            let events = Events<Notification, Never>(cancel: { [center] in center.removeObserver(observer) })
            let name: StaticString = "NotificationCenter Observer"
            broadcast.subscribe(Tap(events, AnySubscriber(subscriber), name: name), name: name)
        }

        /// Whether both publish the same notifications.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
        }
    }
}
#endif
