import Dispatch
import Basics
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct LockedTests {
    @Test func `The mutex Locked counts every increment when many threads increment at the same time`() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 80_000)
    }

    @Test func `The mutex Locked releases its lock and keeps the change when the closure of withLock throws`() {
        struct Refused: Error {}
        let state = Locked(1)
        #expect(throws: Refused.self) {
            try state.withLock { value in
                value = 2
                throw Refused()
            }
        }
        #expect(state.withLock { $0 } == 2)
    }

    @Test func `The mutex Locked releases the object that it holds when the mutex is deallocated`() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let object = Held()
            held = object
            let state = Locked<Held?>(object)
            #expect(state.withLock { $0 === object })
        }
        #expect(held == nil)
    }

    @Test func `Dumping or describing a Locked mutex does not reveal its value`() {
        var shown = ""
        dump(Locked("canary"), to: &shown)
        #expect(!shown.contains("canary"))
        #expect(!String(describing: Locked("canary")).contains("canary"))
    }
}
