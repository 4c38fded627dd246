import PortableCombine
import Testing

@Suite struct UntilTests {
    let upstream = ManualPublisher<Int, Boom>()
    let other = ManualPublisher<String, Boom>()
    let tracker = TrackingSubscriber<Int, Boom>(initial: .max(5))

    @Test func `On a value of the other publisher, prefix(untilOutputFrom:) finishes and cancels upstream`() {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        #expect(other.requests == [.max(1)])
        #expect(upstream.requests == [.max(5)])
        upstream.send(1)
        other.send("now")
        upstream.send(2)
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .finished)
        #expect(upstream.cancels == 1)
    }

    @Test(arguments: [Subscribers.Completion<Boom>.finished, .failure(Boom())])
    func `prefix(untilOutputFrom:) continues when the other publisher finishes or fails`(
        completion: Subscribers.Completion<Boom>
    ) {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        other.send(completion: completion)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.values == [1])
        #expect(tracker.events.last == .failure("Boom()"))
        #expect(other.cancels == 0)
    }

    @Test func `prefix(untilOutputFrom:) cancels the other publisher when upstream finishes`() {
        upstream.prefix(untilOutputFrom: other).subscribe(tracker)
        upstream.send(completion: .finished)
        #expect(other.cancels == 1)
        #expect(tracker.events.last == .finished)
    }

    @Test func `prefix(untilOutputFrom:) finishes at once when the other publisher is Just`() {
        upstream.prefix(untilOutputFrom: Just(1)).subscribe(tracker)
        #expect(tracker.events == [.subscription("PrefixUntilOutput"), .finished])
        #expect(upstream.cancels == 1)
    }

    @Test func `drop(untilOutputFrom:) drops values until the other publisher sends a value`() {
        upstream.drop(untilOutputFrom: other).subscribe(tracker)
        #expect(upstream.send(1) == .none)
        other.send("now")
        #expect(other.cancels == 1)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(tracker.values == [2])
        #expect(tracker.events.last == .finished)
        #expect(upstream.requests == [.max(5)])
    }

    @Test(arguments: [Subscribers.Completion<Boom>.finished, .failure(Boom())])
    func `If the other publisher ends without a value, drop(untilOutputFrom:) ends like it, canceling upstream`(
        completion: Subscribers.Completion<Boom>
    ) {
        upstream.drop(untilOutputFrom: other).subscribe(tracker)
        other.send(completion: completion)
        #expect(tracker.endings == 1)
        #expect(tracker.events.last == (completion == .finished ? .finished : .failure("Boom()")))
        #expect(upstream.cancels == 1)
    }
}
