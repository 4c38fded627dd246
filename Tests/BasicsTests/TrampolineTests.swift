import Basics
import Dispatch
import TestTiers
import Testing

@Suite(.tags(.concurrent), .limited) struct TrampolineTests {
    @Test func `Trampoline runs 100,000 steps that each add the next one, without a deeper stack`() {
        let loop = Trampoline()
        let (count, depth) = (Locked(0), Locked((now: 0, most: 0)))
        @Sendable func step() {
            depth.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number < 100_000 { loop.run(step) }
            depth.withLock { $0.now -= 1 }
        }
        loop.run(step)
        #expect(count.withLock { $0 } == 100_000)
        #expect(depth.withLock { $0.most } == 1)
    }

    @Test func `Trampoline still runs a step that another thread adds while the loop is ending`() async {
        let loop = Trampoline()
        let (count, running) = (Locked(0), Locked((now: 0, most: 0)))
        await withCheckedContinuation { (isOver: CheckedContinuation<Void, Never>) in
            // Each step is asked for by a thread that races with the end of the step before, and of its loop.
            @Sendable func step() {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                defer { running.withLock { $0.now -= 1 } }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 10_000 { return isOver.resume() }
                DispatchQueue.global().async { loop.run(step) }
            }
            loop.run(step)
        }
        #expect(running.withLock { $0.most } == 1)
    }
}
