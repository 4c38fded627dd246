import Foundation
import PortableCombine
import Testing

@Suite struct NotificationCenterPublisherTests {
    private final class Sender {}
    private let name = Notification.Name("something")

    @Test func `A notification publisher delivers notifications of its name until it is canceled`() {
        let center = NotificationCenter()
        let tracker = TrackingSubscriber<Notification, Never>(initial: .unlimited)
        center.publisher(for: name).subscribe(tracker)
        center.post(name: name, object: nil, userInfo: ["number": 1])
        center.post(name: Notification.Name("something else"), object: nil)
        #expect(tracker.values.map { $0.userInfo?["number"] as? Int } == [1])
        tracker.cancel()
        center.post(name: name, object: nil)
        #expect(tracker.values.count == 1)
        #expect(tracker.endings == 0)
    }

    @Test func `A notification publisher for one object ignores notifications that other objects post`() {
        let center = NotificationCenter()
        let (one, other) = (Sender(), Sender())
        var count = 0
        let cancellable = center.publisher(for: name, object: one).sink { _ in count += 1 }
        center.post(name: name, object: one)
        center.post(name: name, object: other)
        #expect(count == 1)
        cancellable.cancel()
    }

    @Test func `A notification publisher drops a notification that is posted without demand`() {
        let center = NotificationCenter()
        let tracker = TrackingSubscriber<Notification, Never>(initial: .none)
        center.publisher(for: name).subscribe(tracker)
        center.post(name: name, object: nil)
        tracker.request(.max(1))
        #expect(tracker.values.isEmpty)
        center.post(name: name, object: nil)
        center.post(name: name, object: nil)
        #expect(tracker.values.count == 1)
        tracker.cancel()
    }

    @Test func `A NotificationCenter publisher releases a subscriber that cancels`() {
        let center = NotificationCenter()
        weak var weakTracker: TrackingSubscriber<Notification, Never>?
        do {
            let tracker = TrackingSubscriber<Notification, Never>(initial: .unlimited)
            weakTracker = tracker
            center.publisher(for: name).subscribe(tracker)
            tracker.cancel()
        }
        #expect(weakTracker == nil)
    }

    @Test func `Notification publishers are equal if center, name and object are the same`() {
        let center = NotificationCenter()
        let sender = Sender()
        #expect(center.publisher(for: name) == center.publisher(for: name))
        #expect(center.publisher(for: name) != center.publisher(for: name, object: sender))
        #expect(center.publisher(for: name) != NotificationCenter().publisher(for: name))
    }
}
