import Dispatch
import Harness

/// Several publishers into one, and one thread after another.
func fanInLines() -> [Line] {
    let queue = DispatchQueue(label: "benchmark")
    return [
        Line("`flatMap` over 10,000 inner `Just`, which ours knows by its type", elements: 10_000) {
            drain(flattened((0..<10_000).publisher))
        },
        Line("… over 10,000 inner `AnyPublisher`s of a `Just`, which it subscribes to", elements: 10_000) {
            drain(subscribed((0..<10_000).publisher))
        },
        Line("`receive(on:)` a serial queue", elements: 100_000) {
            let done = DispatchSemaphore(value: 0)
            var sum = 0
            let cancellable = (0..<100_000).publisher
                .receive(on: scheduler(queue))
                .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { sum &+= $0 })
            done.wait()
            blackHole(sum)
            cancellable.cancel()
        },
    ]
}

private func flattened<P: Publisher>(
    _ numbers: P
) -> Publishers.FlatMap<Just<Int>, P> where P.Output == Int, P.Failure == Never {
    numbers.flatMap { Just($0) }
}

private func subscribed<P: Publisher>(
    _ numbers: P
) -> Publishers.FlatMap<AnyPublisher<Int, Never>, P> where P.Output == Int, P.Failure == Never {
    numbers.flatMap { Just($0).eraseToAnyPublisher() }
}
