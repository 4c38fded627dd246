import Basics
import PortableCombine
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct PublishedTests {
    class Base: ObservableObject {
        @Published var name = "a"
        var plain = 0
    }

    final class Derived: Base {
        @Published var count = 0
        @Published var label: String?
    }

    final class Own: ObservableObject {
        let objectWillChange = PassthroughSubject<Int, Never>()
    }

    @Test func `An @Published property sends objectWillChange, then its new value, and only then changes`() {
        let object = Base()
        var log: [String] = []
        var cancellables = Set<AnyCancellable>()
        object.objectWillChange.sink { log.append("object \(object.name)") }.store(in: &cancellables)
        object.$name.sink { log.append("property \($0), still \(object.name)") }.store(in: &cancellables)
        object.name = "b"
        #expect(log == ["property a, still a", "object a", "property b, still a"])
        #expect(object.name == "b")
    }

    @Test func `Setting an @Published property of a class or its superclass sends objectWillChange`() {
        let object = Derived()
        var changes = 0
        let cancellable = object.objectWillChange.sink { changes += 1 }
        object.name = "b"
        object.count = 1
        object.label = "x"
        object.plain = 2
        #expect(changes == 3)
        #expect(object.objectWillChange === object.objectWillChange)
        cancellable.cancel()
    }

    @Test func `Two threads that first read objectWillChange at the same time get the same publisher`() {
        for _ in 0..<50 {
            let object = Handed(Derived())
            let found = Locked<[ObjectIdentifier]>([])
            onThreads(2) { _ in
                let publisher = ObjectIdentifier(object.value.objectWillChange)
                found.withLock { $0.append(publisher) }
            }
            let publisher = ObjectIdentifier(object.value.objectWillChange)
            #expect(found.withLock { $0 } == [publisher, publisher])
        }
    }

    @Test func `An ObservableObject's own objectWillChange takes the place of the default one`() {
        func publisher<Object: ObservableObject>(of object: Object) -> Object.ObjectWillChangePublisher {
            object.objectWillChange
        }
        let own = Own()
        var values: [Int] = []
        let cancellable = publisher(of: own).sink { values.append($0) }
        own.objectWillChange.send(4)
        #expect(values == [4])
        cancellable.cancel()
    }

    @Test func `A new subscriber of an @Published property gets the current value and then each new one`() {
        let object = Base()
        object.name = "b"
        var names: [String] = []
        let cancellable = object.$name.sink { names.append($0) }
        object.name = "c"
        #expect(names == ["b", "c"])
        cancellable.cancel()
    }

    @Test func `The assign(to:) operator sets an @Published property and does not keep its object alive`() {
        let subject = PassthroughSubject<String, Never>()
        weak var weakObject: Base?
        do {
            let object = Base()
            weakObject = object
            subject.assign(to: &object.$name)
            subject.send("z")
            #expect(object.name == "z")
            let own = subject.assign(to: \.name, on: object)
            subject.send("y")
            #expect(object.name == "y")
            own.cancel()
        }
        #expect(weakObject == nil)
        subject.send("x")
    }

    @Test func `An @Published property that two threads set at once keeps the value that it publishes last`() {
        for _ in 0..<100 {
            let object = Handed(Derived())
            let last = Handed(CurrentValueSubject<Int, Never>(0))
            let cancellable = object.value.$count.sink { last.value.send($0) }
            onThreads(2) { thread in
                for number in 1...20 { object.value.count = thread * 100 + number }
            }
            #expect(object.value.count == last.value.value)
            cancellable.cancel()
        }
    }

    @Test func `An @Published property keeps a value that its subscriber sets during a delivery`() {
        let object = Derived()
        var published: [Int] = []
        let cancellable = object.$count.sink { count in
            published.append(count)
            if count == 1 { object.count = 2 }
        }
        object.count = 1
        #expect(published == [0, 1, 2])
        #expect(object.count == 2)
        cancellable.cancel()
    }
}
