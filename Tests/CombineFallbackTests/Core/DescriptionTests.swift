import PortableCombine
import Testing

/// What is shown in a playground, and in a debugger.
@Suite struct DescriptionTests {
    final class Counter { var count = 0 }

    @Test func `The playgroundDescription of a subscriber or AnyPublisher names its type`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        let assign = Subscribers.Assign(object: Counter(), keyPath: \.count)
        #expect(sink.playgroundDescription as? String == "Sink")
        #expect(assign.playgroundDescription as? String == "Assign Counter")
        #expect(AnySubscriber(sink).playgroundDescription as? String == "Sink")
        #expect(AnySubscriber<Int, Never>().playgroundDescription as? String == "Anonymous AnySubscriber")
        #expect(Just(1).eraseToAnyPublisher().playgroundDescription as? String == "AnyPublisher")
    }

    @Test func `A mirror of Subscribers.Assign shows its object and key path`() {
        let counter = Counter()
        let assign = Subscribers.Assign(object: counter, keyPath: \.count)
        let children = Mirror(reflecting: assign).children
        #expect(children.map(\.label) == ["object", "keyPath"])
        #expect(children.first?.value as? Counter === counter)
    }
}
