import Testing

@testable import HTTPTransport

/// Back-pressure with two marks.
@Suite struct BackPressureTests {
    private static let low = BackPressure.lowWater
    private static let high = BackPressure.highWater

    /// So many bytes are queued; `tells` is what the task is told then.
    struct Look: Sendable {
        let queued: Int
        var continuing = false
        let tells: Bool?
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var canPause = true
        let looks: [Look]
    }

    @Test(arguments: [
        Case(testDescription: "little is queued", looks: [Look(queued: 0, tells: nil), Look(queued: 1, tells: nil)]),
        Case(testDescription: "one byte below the upper mark", looks: [Look(queued: high - 1, tells: nil)]),
        Case(testDescription: "the upper mark", looks: [Look(queued: high, tells: true)]),
        Case(
            testDescription: "paused once, between the marks, and at the lower mark",
            looks: [
                Look(queued: high, tells: true),
                Look(queued: high, continuing: true, tells: nil),
                Look(queued: high + 1, tells: nil),
                Look(queued: low + 1, tells: nil),
                Look(queued: low, tells: false),
                Look(queued: low, continuing: true, tells: nil),
                Look(queued: 0, tells: nil),
                Look(queued: high, tells: true),
            ]
        ),
        Case(
            testDescription: "only the thread that is telling asks again",
            looks: [
                Look(queued: high, tells: true),
                Look(queued: 0, tells: nil),
                Look(queued: 0, continuing: true, tells: false),
                Look(queued: high, tells: nil),
                Look(queued: high, continuing: true, tells: true),
                Look(queued: high, continuing: true, tells: nil),
            ]
        ),
        Case(
            testDescription: "a task that cannot pause",
            canPause: false,
            looks: [Look(queued: high, tells: nil), Look(queued: .max, tells: nil), Look(queued: 0, tells: nil)]
        ),
    ])
    func `BackPressure pauses a transfer at highWater queued bytes and resumes it at lowWater`(_ test: Case) {
        var backPressure = BackPressure(canPause: test.canPause)
        for (number, look) in test.looks.enumerated() {
            let tells = backPressure.next(queued: look.queued, continuing: look.continuing)
            #expect(tells == look.tells, "look \(number)")
            if let tells { #expect(backPressure.isPaused == tells, "look \(number)") }
        }
    }

    @Test(arguments: [
        (0, false, true), (low, false, true), (low + 1, false, false), (high - 1, false, false), (high, true, false),
        (.max, true, false),
    ])
    func `BackPressure.isDue is true at highWater queued bytes while running, at lowWater while paused`(
        queued: Int,
        whileRunning: Bool,
        whilePaused: Bool
    ) {
        var backPressure = BackPressure(canPause: true)
        #expect(backPressure.isDue(queued: queued) == whileRunning)
        #expect(backPressure.next(queued: Self.high, continuing: false) == true)
        #expect(backPressure.isDue(queued: queued) == whilePaused)
        #expect(!BackPressure(canPause: false).isDue(queued: queued))
    }
}
