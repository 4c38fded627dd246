import PortableCombine
import Testing

/// What publishers of values that are known do at once: the types say so, and the values are what the operators on any
/// publisher would have made of them.
@Suite struct KnownValuesTests {
    private func isSmall(_ number: Int) -> Bool { number < 3 }
    private func isThree(_ number: Int) -> Bool { number == 3 }
    private func sum(_ first: Int, _ second: Int) -> Int { first + second }
    private func boom(_ number: Int) throws -> Int { throw Boom() }

    @Test func `Operators on Just return Just if their result always has one value`() {
        let three: Just<Int> = Just(2).map { $0 + 1 }
        #expect(three.output == 3)
        let same: [Just<Int>] = [
            three.first(), three.last(), three.min(), three.max(), three.min(by: >), three.max(by: >),
            three.removeDuplicates(), three.removeDuplicates { _, _ in true }, three.retry(3),
            three.replaceError(with: 9), three.replaceEmpty(with: 9),
        ]
        #expect(same.allSatisfy { $0 == three })
        let answers: [Just<Bool>] = [
            three.allSatisfy(isSmall), three.contains(where: isSmall), three.contains(3),
        ]
        #expect(answers.map(\.output) == [false, false, true])
        let (array, one): (Just<[Int]>, Just<Int>) = (three.collect(), three.count())
        #expect(array.output == [3])
        #expect(one.output == 1)
    }

    @Test func `Operators on Just that can drop the value return an Optional.Publisher`() {
        let three = Just(3)
        let kept: [Optional<Int>.Publisher] = [
            three.filter { $0 == 3 }, three.first { $0 == 3 }, three.last { $0 == 3 }, three.prefix { $0 == 3 },
            three.drop(while: isSmall), three.dropFirst(0), three.prefix(1), three.output(at: 0),
            three.output(in: 0..<5), three.compactMap { $0 },
        ]
        #expect(kept.allSatisfy { $0.output == 3 })
        let dropped: [Optional<Int>.Publisher] = [
            three.filter(isSmall), three.first(where: isSmall), three.last(where: isSmall),
            three.prefix(while: isSmall), three.drop { $0 == 3 }, three.dropFirst(), three.prefix(0),
            three.output(at: 1), three.output(in: 1...), three.output(in: 0..<0), three.compactMap { _ in nil },
        ]
        #expect(dropped.allSatisfy { $0.output == nil })
        #expect(recorded(three.ignoreOutput()).end == .finished)
    }

    @Test func `Operators on Just that can fail return a Result.Publisher`() throws {
        let three = Just(3)
        let failed: [Result<Int, any Error>.Publisher] = [
            three.tryMap(boom), three.tryReduce(0) { _, new in try boom(new) },
            three.tryScan(0) { _, new in try boom(new) }, three.tryRemoveDuplicates { old, _ in try boom(old) == 0 },
        ]
        for publisher in failed { #expect(throws: Boom.self) { try publisher.result.get() } }
        #expect(try three.tryMap { $0 * 2 }.result.get() == 6)
        #expect(try three.tryAllSatisfy(isSmall).result.get() == false)
        #expect(try three.tryContains { $0 == 3 }.result.get())
        #expect(three.reduce(1, +).result.get() == 4)
        #expect(three.scan(1, +).result.get() == 4)
        let typed: [Result<Int, Boom>.Publisher] = [
            three.setFailureType(to: Boom.self), three.mapError { (_: Never) -> Boom in },
        ]
        #expect(typed.allSatisfy { $0.result == .success(3) })
    }

    @Test func `Elements appended or prepended to Just or a sequence are delivered in order`() {
        #expect(recorded(Just(3).prepend(1, 2)).values == [1, 2, 3])
        #expect(recorded(Just(3).append(4...5)).values == [3, 4, 5])
        let sequence: Publishers.Sequence<[Int], Never> = [2].publisher.prepend(1).append([3].publisher)
        #expect(sequence.sequence == [1, 2, 3])
        #expect([2].publisher.prepend([1].publisher).sequence == [1, 2])
        #expect([2].publisher.prepend(0...1).append(3...4).sequence == [0, 1, 2, 3, 4])
    }

    @Test func `Operators on an Optional.Publisher compute their result for a value and for nil`() {
        typealias Maybe = Optional<Int>.Publisher
        let three = Maybe(3)
        let none = Maybe(nil)
        #expect(three.map { $0 + 1 }.output == 4)
        #expect(three.compactMap { _ in Int?.none }.output == nil)
        let kept: [Maybe] = [
            three.filter(isThree), three.first(), three.last(), three.first(where: isThree), three.last(where: isThree),
            three.prefix(1), three.prefix(while: isThree), three.drop(while: isSmall), three.dropFirst(0), three.min(),
            three.max(), three.output(at: 0), three.output(in: ...4), three.removeDuplicates(), three.retry(1),
            three.replaceError(with: 9),
        ]
        #expect(kept.allSatisfy { $0 == three })
        let dropped: [Maybe] = [
            three.filter(isSmall), three.dropFirst(), three.prefix(0), three.output(at: 1), none.filter(isSmall),
            none.output(at: 0), three.first(where: isSmall), three.drop(while: isThree),
        ]
        #expect(dropped.allSatisfy { $0 == none })
        #expect([three, none].map { (maybe: Maybe) in maybe.count().output } == [1, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.collect().output } == [[3], []])
        #expect([three, none].map { (maybe: Maybe) in maybe.contains(3).output } == [true, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.contains(where: isSmall).output } == [false, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.allSatisfy(isSmall).output } == [false, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.reduce(1, sum).output } == [4, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.scan(1, sum).output } == [4, nil])
        #expect([three, none].map { (maybe: Maybe) in maybe.replaceEmpty(with: 7).output } == [3, 7])
    }

    @Test func `Operators on a Result.Publisher transform a success and pass on a failure`() throws {
        typealias Outcome = Result<Int, Boom>.Publisher
        let (three, failed) = (Outcome(3), Outcome(Boom()))
        #expect(
            [three, failed].map { (outcome: Outcome) in outcome.map { $0 + 1 }.result } == [
                .success(4), .failure(Boom()),
            ]
        )
        #expect(try three.tryMap { $0 + 1 }.result.get() == 4)
        #expect(throws: Boom.self) { try failed.tryMap { $0 }.result.get() }
        #expect(throws: Boom.self) { try three.tryMap(boom).result.get() }
        #expect([three, failed].map { (outcome: Outcome) in outcome.replaceError(with: 7).result.get() } == [3, 7])
        #expect(failed.replaceEmpty(with: 7) == failed)
        #expect(three.contains(3).result == .success(true))
        #expect(three.contains(where: isSmall).result == .success(false))
        #expect(three.allSatisfy(isSmall).result == .success(false))
        #expect(try three.tryContains(where: isSmall).result.get() == false)
        #expect(try three.tryAllSatisfy(isSmall).result.get() == false)
        #expect(three.collect().result == .success([3]))
        #expect(failed.count().result == .failure(Boom()))
        #expect(three.reduce(1, +).result == .success(4))
        #expect(three.scan(1, +).result == .success(4))
        #expect(try three.tryReduce(1, +).result.get() == 4)
        #expect(try three.tryScan(1, +).result.get() == 4)
        #expect(try three.tryMin(by: <).result.get() == 3)
        #expect(throws: Boom.self) { try three.tryMax { old, _ in try boom(old) == 0 }.result.get() }
        #expect(try three.tryRemoveDuplicates(by: ==).result.get() == 3)
        let same: [Outcome] = [three.first(), three.last(), three.min(), three.retry(1)]
        #expect(same.allSatisfy { $0 == three })
        let renamed: Result<Int, any Error>.Publisher = failed.mapError { $0 }
        #expect(throws: Boom.self) { try renamed.result.get() }
        let widened = Result<Int, Never>.Publisher(3).setFailureType(to: Boom.self)
        #expect(widened == three)
    }

    @Test
    func `Operators on a Publishers.Sequence return a sequence, Optional or Result publisher of the result`() throws {
        let numbers = [3, 1, 1, 2].publisher
        #expect(numbers.map { $0 * 2 }.sequence == [6, 2, 2, 4])
        #expect(numbers.filter { $0 > 1 }.compactMap { $0 == 2 ? nil : "\($0)" }.sequence == ["3"])
        #expect(numbers.scan(0, +).sequence == [3, 4, 5, 7])
        #expect(numbers.removeDuplicates().sequence == [3, 1, 2])
        #expect([1, nil].publisher.replaceNil(with: 0).sequence == [1, 0])
        #expect(recorded(numbers.dropFirst(2)).values == [1, 2])
        #expect(recorded(numbers.drop { $0 > 1 }).values == [1, 1, 2])
        #expect(recorded(numbers.prefix(2)).values == [3, 1])
        #expect(numbers.prefix { $0 > 2 }.sequence == [3])
        #expect(numbers.reduce(0, +).result.get() == 7)
        #expect(try numbers.tryReduce(0, +).result.get() == 7)
        #expect(numbers.collect().result.get() == [3, 1, 1, 2])
        let answers: [Result<Bool, Never>.Publisher] = [
            numbers.contains(2), numbers.contains { $0 > 3 }, numbers.allSatisfy { $0 > 0 },
        ]
        #expect(answers.map { $0.result.get() } == [true, false, true])
        #expect(try numbers.tryContains { $0 == 2 }.result.get())
        #expect(throws: Boom.self) { try numbers.tryAllSatisfy { try boom($0) == 0 }.result.get() }
        let extremes: [Optional<Int>.Publisher] = [numbers.min(), numbers.max(), numbers.min(by: >)]
        #expect(extremes.map(\.output) == [1, 3, 3])
        let places: [Optional<Int>.Publisher] = [numbers.first(), numbers.last(), numbers.output(at: 3)]
        #expect(places.map(\.output) == [3, 2, 2])
        #expect(
            [numbers.first { $0 < 3 }, numbers.last { $0 < 2 }, numbers.output(at: 9)].map(\.output) == [1, 1, nil]
        )
        #expect(numbers.output(in: 1..<9).sequence == [1, 1, 2])
        let (four, fourth): (Just<Int>, Result<Int, Boom>.Publisher) =
            (numbers.count(), numbers.setFailureType(to: Boom.self).count())
        #expect(four.output == 4)
        #expect(fourth.result == .success(4))
        #expect(recorded(numbers.ignoreOutput()).end == .finished)
    }
}
