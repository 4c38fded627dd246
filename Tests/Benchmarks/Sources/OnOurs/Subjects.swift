import Harness

/// A subject and its audience.
func subjectLines() -> [Line] {
    [1, 8].map { subscribers in
        let count = 100_000
        let name = "`PassthroughSubject` to \(subscribers) subscriber\(subscribers == 1 ? "" : "s")"
        return Line(name, elements: count) {
            let subject = PassthroughSubject<Int, Never>()
            var sum = 0
            let cancellables = (0..<subscribers).map { _ in subject.sink { sum &+= $0 } }
            for number in 0..<count { subject.send(number) }
            blackHole(sum)
            for cancellable in cancellables { cancellable.cancel() }
        }
    }
}
