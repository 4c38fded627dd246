import HostileServer
import HTTPTransport
import Testing

@testable import HTTPTransport

/// The clocks of one hop, in nanoseconds; one unit of the tables is a millisecond.
@Suite struct DeadlinesTests {
    private static let start: UInt64 = 1_000 * 1_000_000

    private static func time(_ milliseconds: UInt64) -> UInt64 { start + milliseconds * 1_000_000 }

    enum Step: Sendable {
        case begin(at: UInt64, used: UInt64 = 0)
        case moved(at: UInt64)
        case connected
        case drain(at: UInt64)
        case notDrained(at: UInt64)
        /// The next deadline has to be this one.
        case next(UInt64?)
        /// A check says that nothing has expired, and when to look again.
        case again(at: UInt64, UInt64)
        case expired(at: UInt64, TransportError.Clock, milliseconds: Int)
        case nothing(at: UInt64)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var connect: Int?
        var idle: Int?
        var total: Int?
        var reportsConnection = true
        let steps: [Step]

        var limits: ExchangeRequest.Limits {
            .with { limits in
                limits.connect = connect.map { .milliseconds($0) }
                limits.idle = idle.map { .milliseconds($0) }
                limits.total = total.map { .milliseconds($0) }
            }
        }
    }

    @Test(arguments: [
        Case(testDescription: "no limits", steps: [.begin(at: 0), .next(nil), .nothing(at: 1_000_000)]),
        Case(
            testDescription: "the earliest counts",
            connect: 30,
            idle: 20,
            total: 40,
            steps: [.begin(at: 0), .next(20), .again(at: 19, 20), .expired(at: 20, .idle, milliseconds: 20)]
        ),
        Case(
            testDescription: "whatever moves puts the idle deadline off",
            idle: 20,
            steps: [
                .begin(at: 0), .moved(at: 15), .next(35), .again(at: 34, 35), .moved(at: 34), .next(54),
                .expired(at: 54, .idle, milliseconds: 20),
            ]
        ),
        Case(
            testDescription: "nothing puts the total deadline off",
            idle: 20,
            total: 50,
            steps: [
                .begin(at: 0), .moved(at: 15), .connected, .moved(at: 30), .moved(at: 45), .next(50),
                .again(at: 49, 50), .expired(at: 50, .total, milliseconds: 50),
            ]
        ),
        Case(
            testDescription: "the connect deadline holds though bytes move",
            connect: 30,
            steps: [.begin(at: 0), .moved(at: 29), .next(30), .expired(at: 30, .connect, milliseconds: 30)]
        ),
        Case(
            testDescription: "the connect deadline ends with the connection",
            connect: 30,
            total: 100,
            steps: [.begin(at: 0), .next(30), .connected, .next(100), .again(at: 30, 100), .again(at: 99, 100)]
        ),
        Case(
            testDescription: "without a view of the connection there is no connect deadline",
            connect: 30,
            reportsConnection: false,
            steps: [.begin(at: 0), .next(nil), .nothing(at: 1_000)]
        ),
        Case(
            testDescription: "the total deadline is named first, then connect, then idle",
            connect: 10,
            idle: 10,
            total: 10,
            steps: [
                .begin(at: 0), .expired(at: 10, .total, milliseconds: 10),
            ]
        ),
        Case(
            testDescription: "connect before idle",
            connect: 10,
            idle: 10,
            steps: [.begin(at: 0), .expired(at: 10, .connect, milliseconds: 10)]
        ),
        Case(
            testDescription: "what earlier hops have used is taken off the total",
            total: 50,
            steps: [
                .begin(at: 100, used: 30), .next(120), .again(at: 119, 120),
                .expired(at: 120, .total, milliseconds: 50),
            ]
        ),
        Case(
            testDescription: "what earlier hops have used is taken off no other limit",
            connect: 10,
            idle: 20,
            steps: [.begin(at: 100, used: 30), .next(110), .connected, .next(120)]
        ),
        Case(
            testDescription: "earlier hops have used it all, and more",
            total: 50,
            steps: [.begin(at: 100, used: 80), .next(100), .expired(at: 100, .total, milliseconds: 50)]
        ),
        Case(
            testDescription: "the body of a redirect has a second, whatever moves",
            idle: 2_000,
            steps: [
                .begin(at: 0), .drain(at: 10), .moved(at: 900), .next(1_010), .again(at: 1_009, 1_010),
                .notDrained(at: 1_010),
            ]
        ),
        Case(
            testDescription: "a shorter limit comes before it",
            idle: 500,
            steps: [.begin(at: 0), .drain(at: 10), .expired(at: 500, .idle, milliseconds: 500)]
        ),
        Case(
            testDescription: "no time at all",
            total: 0,
            steps: [.begin(at: 5), .next(5), .expired(at: 5, .total, milliseconds: 0)]
        ),
    ])
    func `A request ends with timedOut at the first time limit that expires, and the error names the limit`(
        _ test: Case
    ) {
        var deadlines: Deadlines?
        for (number, step) in test.steps.enumerated() {
            let place: Comment = "step \(number)"
            switch step {
            case .begin(let now, let used):
                deadlines = Deadlines(
                    test.limits,
                    reportsConnection: test.reportsConnection,
                    at: Self.time(now),
                    elapsed: used * 1_000_000
                )
            case .moved(let now): deadlines?.noteActivity(at: Self.time(now))
            case .connected: deadlines?.connected()
            case .drain(let now): deadlines?.drain(at: Self.time(now))
            case .notDrained(let now): #expect(deadlines?.check(at: Self.time(now)) == .isNotDrained, place)
            case .next(let deadline): #expect(deadlines?.next == deadline.map(Self.time), place)
            case .again(let now, let deadline):
                #expect(deadlines?.check(at: Self.time(now)) == .checkAgain(at: Self.time(deadline)), place)
            case .expired(let now, let clock, let milliseconds):
                let reason = TransportError.Reason.timedOut(which: clock, after: .milliseconds(milliseconds))
                #expect(deadlines?.check(at: Self.time(now)) == .expired(reason), place)
            case .nothing(let now): #expect(deadlines?.check(at: Self.time(now)) == .noDeadline, place)
            }
        }
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.milliseconds(-1), 0), (.nanoseconds(1), 1), (.microseconds(1_000), 1),
            (.microseconds(1_001), 2), (.seconds(60), 60_000), (.seconds(Int64.max), 3_155_760_000_000),
        ] as [(Duration, UInt64)]
    )
    func `A time limit is rounded up to whole milliseconds, and a negative one counts as zero`(
        _ duration: Duration,
        milliseconds: UInt64
    ) {
        #expect(duration.nanosecondsRoundedUp == milliseconds * 1_000_000)
    }
}
