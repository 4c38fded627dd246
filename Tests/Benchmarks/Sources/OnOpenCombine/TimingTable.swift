import Chains

/// Operators over time, for several subscribers, and until another publisher speaks.
let sharing: [Entry] = [
    Entry("prefix(untilOutputFrom:)") { up, n, world in up.prefix(untilOutputFrom: world.other(n)) },
    Entry("drop(untilOutputFrom:)") { up, n, world in up.drop(untilOutputFrom: world.other(n)) },
    Entry("buffer by request") { up, n, _ in
        up.buffer(size: n + 1, prefetch: .byRequest, whenFull: n % 2 == 0 ? .dropNewest : .dropOldest)
    },
    Entry("buffer kept full") { up, n, _ in
        up.buffer(size: n + 1, prefetch: .keepFull, whenFull: n % 2 == 0 ? .dropNewest : .dropOldest)
    },
    Entry("buffer or fail") { up, n, _ in
        up.buffer(size: n + 1, prefetch: .byRequest, whenFull: .customError { Boom(code: 50) })
    },
    Entry("share") { up, _, _ in up.share() },
    Entry("multicast") { up, _, _ in up.multicast { PassthroughSubject<Int, any Error>() }.autoconnect() },
    Entry("makeConnectable") { up, _, _ in
        up.assertNoFailureForTest().makeConnectable().autoconnect().setFailureType(to: (any Error).self)
    },
    Entry("delay") { up, n, world in up.delay(for: .seconds(n), scheduler: world.clock) },
    Entry("throttle latest") { up, n, world in
        up.throttle(for: .seconds(n + 1), scheduler: world.clock, latest: true)
    },
    Entry("throttle first") { up, n, world in
        up.throttle(for: .seconds(n + 1), scheduler: world.clock, latest: false)
    },
    Entry("timeout") { up, n, world in up.timeout(.seconds(n + 1), scheduler: world.clock) },
    Entry("timeout with error") { up, n, world in
        up.timeout(.seconds(n + 1), scheduler: world.clock, customError: { Boom(code: 51) })
    },
]

extension Publisher where Output == Int {
    fileprivate func assertNoFailureForTest() -> Publishers.ReplaceError<Self> { replaceError(with: 60) }
}
