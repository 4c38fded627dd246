import Harness

/// Two subjects, sent to in turns. OpenCombine has no such operator.
func combineLatest() -> Line {
    let count = 100_000
    return Line("`combineLatest` of two subjects", elements: count) {
        let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var sum = 0
        let cancellable = left.combineLatest(right).sink { sum &+= $0 &+ $1 }
        for number in 0..<count / 2 {
            left.send(number)
            right.send(number)
        }
        blackHole(sum)
        cancellable.cancel()
    }
}
