import PortableCombine
import Testing

@Suite struct DemandArithmeticTests {
    private typealias Demand = Subscribers.Demand

    @Test(
        arguments: [
            (.none, .none, .none), (.none, .max(3), .max(3)), (.max(2), .max(3), .max(5)),
            (.unlimited, .none, .unlimited), (.none, .unlimited, .unlimited), (.unlimited, .max(3), .unlimited),
            (.max(3), .unlimited, .unlimited), (.unlimited, .unlimited, .unlimited),
            (.max(.max), .max(.max), .unlimited), (.max(.max), .unlimited, .unlimited),
            (.max(.max), .max(1), .unlimited),
        ] as [(Subscribers.Demand, Subscribers.Demand, Subscribers.Demand)]
    )
    func `The sum of two Subscribers.Demand values is exact, or unlimited if it overflows`(
        left: Subscribers.Demand,
        right: Subscribers.Demand,
        sum: Subscribers.Demand
    ) {
        #expect(left + right == sum)
        var total = left
        total += right
        #expect(total == sum)
    }

    @Test(
        arguments: [
            (.max(3), .max(2), .max(1)), (.max(2), .max(3), .none), (.none, .unlimited, .none),
            (.unlimited, .max(3), .unlimited), (.unlimited, .unlimited, .unlimited), (.max(3), .unlimited, .none),
        ] as [(Subscribers.Demand, Subscribers.Demand, Subscribers.Demand)]
    )
    func `The difference of two Subscribers.Demand values is at least none, and unlimited stays unlimited`(
        left: Subscribers.Demand,
        right: Subscribers.Demand,
        difference: Subscribers.Demand
    ) {
        #expect(left - right == difference)
    }

    @Test func `Unlimited Subscribers.Demand exceeds any count, and a product that overflows is unlimited`() {
        #expect(Demand.unlimited > .max(.max))
        #expect(Demand.unlimited.max == nil)
        #expect(Demand.max(7).max == 7)
        #expect(Demand.max(7) * 2 == .max(14))
        #expect(Demand.max(.max) * 3 == .unlimited)
    }

    @Test func `Adding a negative count lowers a Subscribers.Demand, and subtracting one raises it`() {
        #expect(Demand.max(3) + -2 == .max(1))
        #expect(Demand.max(3) - -2 == .max(5))
        #expect(Demand.unlimited + .min == .unlimited)
        #expect(Demand.max(3) + .min == .none)
        #expect(Demand.max(3) - .min == .unlimited)
    }
}
