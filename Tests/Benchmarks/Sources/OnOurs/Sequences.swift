import Harness

private let million = 1_000_000

/// A million elements through one operator each.
///
/// The functions are generic, because a sequence's own `map` and `filter` work on the array before anybody subscribes.
func sequenceLines() -> [Line] {
    [
        Line("a million elements through `map`", elements: million) {
            drain(mapped((0..<million).publisher))
        },
        Line("… `filter`", elements: million) {
            drain(filtered((0..<million).publisher))
        },
        Line("… `tryMap`", elements: million) {
            drain(tryMapped((0..<million).publisher))
        },
        Line("… `scan`", elements: million) {
            drain(scanned((0..<million).publisher))
        },
    ]
}

private func mapped<P: Publisher>(_ numbers: P) -> Publishers.Map<P, Int> where P.Output == Int {
    numbers.map { $0 &* 3 }
}

private func filtered<P: Publisher>(_ numbers: P) -> Publishers.Filter<P> where P.Output == Int {
    numbers.filter { $0 & 1 == 0 }
}

private func tryMapped<P: Publisher>(_ numbers: P) -> Publishers.TryMap<P, Int> where P.Output == Int {
    numbers.tryMap { $0 &* 3 }
}

private func scanned<P: Publisher>(_ numbers: P) -> Publishers.Scan<P, Int> where P.Output == Int {
    numbers.scan(0) { $0 &+ $1 }
}

/// Takes all that `numbers` publishes.
func drain<P: Publisher>(_ numbers: P) where P.Output == Int {
    var sum = 0
    let cancellable = numbers.sink(receiveCompletion: { _ in }, receiveValue: { sum &+= $0 })
    blackHole(sum)
    cancellable.cancel()
}
