import Basics
import Testing

@testable import HTTPTransport

@Suite struct DeadlineHeapTests {
    private final class Client: DeadlineTimer.Client {
        let deadline: UInt64

        init(_ deadline: UInt64) { self.deadline = deadline }

        func deadlineReached() {}
    }

    private static func due(_ heap: inout DeadlineHeap, at now: UInt64) -> [UInt64] {
        heap.takeDue(at: now).compactMap { ($0 as? Client)?.deadline }
    }

    private static func heap(_ deadlines: [UInt64]) -> (DeadlineHeap, numbers: [UInt64]) {
        var heap = DeadlineHeap()
        let numbers = deadlines.map { heap.insert(Client($0), at: $0) }
        return (heap, numbers)
    }

    struct Case: Sendable {
        let deadlines: [UInt64]
        let now: UInt64
        let due: [UInt64]
        let next: UInt64?
    }

    @Test(arguments: [
        Case(deadlines: [], now: .max, due: [], next: nil),
        Case(deadlines: [5], now: 4, due: [], next: 5),
        Case(deadlines: [5], now: 5, due: [5], next: nil),
        Case(deadlines: [5], now: .max, due: [5], next: nil),
        Case(deadlines: [1, 2, 3], now: 2, due: [1, 2], next: 3),
        Case(deadlines: [3, 2, 1], now: 2, due: [1, 2], next: 3),
        Case(deadlines: [7, 7, 7], now: 7, due: [7, 7, 7], next: nil),
        Case(deadlines: [9, 4, 6, 1, 8, 2, 7, 3, 5], now: 6, due: [1, 2, 3, 4, 5, 6], next: 7),
        Case(deadlines: [0, .max], now: 0, due: [0], next: .max),
    ])
    func `DeadlineHeap removes due deadlines in the order of time`(_ test: Case) {
        var (heap, _) = Self.heap(test.deadlines)
        #expect(heap.count == test.deadlines.count)
        #expect(heap.next == test.deadlines.min())
        #expect(Self.due(&heap, at: test.now) == test.due)
        #expect(heap.next == test.next)
        #expect(heap.count == test.deadlines.count - test.due.count)
        #expect(Self.due(&heap, at: test.now).isEmpty)
    }

    @Test func `DeadlineHeap gives later inserted deadlines greater numbers`() {
        let numbers = Self.heap([5, 1, 9, 1]).numbers
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == 4)
    }

    @Test func `A deadline removed from DeadlineHeap does not become due and cannot be removed again`() {
        var (heap, numbers) = Self.heap([1, 2, 3])
        #expect((heap.remove(numbers[0]) as? Client)?.deadline == 1)
        #expect(heap.remove(numbers[0]) == nil)
        #expect(heap.count == 2)
        #expect(Self.due(&heap, at: 2) == [2])
        #expect(heap.remove(numbers[1]) == nil)
        #expect(heap.remove(1_000) == nil)
        #expect(heap.next == 3)
    }

    @Test func `DeadlineHeap does not accumulate entries of removed deadlines`() throws {
        var heap = DeadlineHeap()
        let kept = heap.insert(Client(1_000_000), at: 1_000_000)
        for deadline in 1...10_000 as ClosedRange<UInt64> {
            let number = heap.insert(Client(deadline), at: deadline)
            #expect(heap.remove(number) != nil)
        }
        #expect(heap.count == 1)
        let entries = Mirror(reflecting: heap).descendant("entries").map { Mirror(reflecting: $0).children.count }
        #expect(try #require(entries) <= 65)
        // Entries of removed deadlines disappear as soon as they come to the top.
        #expect(Self.due(&heap, at: 0).isEmpty)
        #expect(heap.next == 1_000_000)
        #expect(heap.remove(kept) != nil)
        #expect(heap.count == 0)
        #expect(Self.due(&heap, at: .max).isEmpty)
        #expect(heap.next == nil)
    }

    @Test func `DeadlineHeap releases a client when its deadline is removed or reached`() {
        var heap = DeadlineHeap()
        weak var removed: Client?
        weak var reached: Client?
        do {
            let clients = (Client(1), Client(2))
            (removed, reached) = clients
            let number = heap.insert(clients.0, at: 1)
            _ = heap.insert(clients.1, at: 2)
            _ = heap.remove(number)
        }
        #expect(removed == nil)
        #expect(reached != nil)
        _ = heap.takeDue(at: 2)
        #expect(reached == nil)
    }

    /// The same as a list that is sorted whenever it is asked.
    @Test(arguments: 0..<4)
    func `DeadlineHeap gives the same results as a sorted list for random operations`(seed: UInt64) {
        var random = RandomNumbers(seed: seed)
        var heap = DeadlineHeap()
        var list: [(deadline: UInt64, number: UInt64)] = []
        var now: UInt64 = 0
        for step in 0..<5_000 {
            // Many come, and then many are taken back.
            let coming: Range<UInt64> = (step / 500).isMultiple(of: 2) ? 0..<6 : 0..<1
            switch random.next() % 8 {
            case coming:
                let deadline = now + random.next() % 50_000
                list.append((deadline, heap.insert(Client(deadline), at: deadline)))
            case ..<7:
                guard !list.isEmpty else { continue }
                let entry = list.remove(at: Int(random.next() % UInt64(list.count)))
                #expect((heap.remove(entry.number) as? Client)?.deadline == entry.deadline, "step \(step)")
            default:
                now += random.next() % 100
                let due = list.filter { $0.deadline <= now }.map(\.deadline).sorted()
                list.removeAll { $0.deadline <= now }
                #expect(Self.due(&heap, at: now) == due, "step \(step)")
                #expect(heap.next == list.map(\.deadline).min(), "step \(step)")
            }
            #expect(heap.count == list.count, "step \(step)")
        }
    }
}
