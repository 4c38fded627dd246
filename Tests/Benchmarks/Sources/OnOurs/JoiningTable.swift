import Chains

/// Operators that need all of several publishers, or one after another.
let fanningIn: [Entry] = [
    Entry("zip") { up, n, world in up.zip(world.other(n)) { $0 + $1 } },
    Entry("zip 3") { up, n, world in up.zip(world.other(n), world.other(5)) { $0 + $1 + $2 } },
    Entry("append elements") { up, n, _ in up.append(n, n + 1) },
    Entry("append sequence") { up, n, _ in up.append(Array(0..<n)) },
    Entry("append publisher") { up, n, world in up.append(world.other(n)) },
    Entry("prepend elements") { up, n, _ in up.prepend(n, n + 1) },
    Entry("prepend publisher") { up, n, world in up.prepend(world.other(n)) },
    Entry("switchToLatest") { up, n, world in
        up.map { value -> Stream in world.other((value + n) % 6) }.switchToLatest()
    },
]
