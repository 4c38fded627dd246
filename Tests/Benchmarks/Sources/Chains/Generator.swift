/// A small generator of random numbers (SplitMix64): the same numbers for the same seed on every system.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Starts at `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Chain {
    /// The chain with this number: the same for the same number, seed and operators.
    public static func random(number: Int, seed: UInt64, operators names: [String]) -> Chain {
        var generator = SeededGenerator(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        // One operator by itself says most about that operator.
        let length = generator.chance(1, of: 3) ? 1 : Int.random(in: 1...6, using: &generator)
        let operators = (0..<length).map { _ in
            Operator(names.randomElement(using: &generator) ?? "", Int.random(in: 0...5, using: &generator))
        }
        return Chain(
            source: .random(using: &generator),
            operators: operators,
            subscriber: .random(using: &generator),
            script: (0..<Int.random(in: 0...8, using: &generator)).map { _ in .random(using: &generator) }
        )
    }
}

extension SeededGenerator {
    mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &self) < part }
}

extension Source {
    static func random(using generator: inout SeededGenerator) -> Source {
        let number = Int.random(in: 0...6, using: &generator)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0, 1, 2: return .sequence(number)
        case 3: return .just(number)
        case 4: return .optional(number < 2 ? nil : number)
        case 5: return .result(number < 2 ? nil : number)
        case 6: return .empty(finishes: number < 5)
        case 7: return .fail(number)
        case 8: return .future(number)
        case 9: return .currentValue(number)
        case 10: return .flaky(failures: number % 4)
        case 11: return .record(Array(1...max(1, number)), fails: number.isMultiple(of: 2))
        default: return .passthrough
        }
    }
}

extension Behaviour {
    static func random(using generator: inout SeededGenerator) -> Behaviour {
        var behaviour = Behaviour()
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: behaviour.initial = 0
        case 1, 2: behaviour.initial = Int.random(in: 1...4, using: &generator)
        default: behaviour.initial = nil
        }
        if generator.chance(1, of: 2) {
            behaviour.returned = (0..<3).map { _ in Int.random(in: 0...2, using: &generator) }
        }
        if generator.chance(1, of: 5) { behaviour.cancelsInside = Int.random(in: 0...4, using: &generator) }
        if generator.chance(1, of: 5) { behaviour.requestsInside = Int.random(in: 1...3, using: &generator) }
        return behaviour
    }
}

extension Action {
    static func random(using generator: inout SeededGenerator) -> Action {
        let second = generator.chance(1, of: 3)
        let number = Int.random(in: 1...9, using: &generator)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0, 1, 2: return .request(number)
        case 3: return .request(nil)
        case 4: return .cancel
        case 5: return .finish(second: second)
        case 6: return .fail(number, second: second)
        case 7, 8: return .advance(number)
        default: return .send(number, second: second)
        }
    }
}
