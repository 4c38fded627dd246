import Foundation
import PortableCombine
import Testing

@Suite struct TransformingTests {
    struct Point: Codable, Equatable {
        var x = 1
        var y = "two"
        var z = 3.0
    }

    private func all<P: Publisher>(_ publisher: P) -> (values: [P.Output], end: Subscribers.Completion<P.Failure>?) {
        var values: [P.Output] = []
        var end: Subscribers.Completion<P.Failure>?
        let cancellable = publisher.sink(receiveCompletion: { end = $0 }, receiveValue: { values.append($0) })
        cancellable.cancel()
        return (values, end)
    }

    @Test func `The map operator with one to three key paths delivers the values of these properties`() {
        let point = Just(Point())
        #expect(all(point.map(\.x)).values == [1])
        #expect(all(point.map(\.x, \.y)).values.map(\.1) == ["two"])
        #expect(all(point.map(\.x, \.y, \.z)).values.map(\.2) == [3.0])
    }

    @Test func `Consecutive map and tryMap operators combine into one publisher`() {
        let twice: Publishers.Map<Just<Int>, String> = Just(1).map { $0 + 1 }.map { "\($0)" }
        #expect(all(twice).values == ["2"])
        let tried: Publishers.TryMap<Just<Int>, Int> = Just(1).map { $0 + 1 }.tryMap { $0 * 2 }
        #expect(all(tried).values == [4])
    }

    @Test func `tryMap returns a publisher of the type Publishers.TryMap`() {
        func checked<P: Publisher>(_ publisher: P) -> Publishers.TryMap<P, String> where P.Output == Int {
            publisher.tryMap { "\($0)" }
        }
        #expect(all(checked(Just(1))).values == ["1"])
    }

    /// On a publisher whose values nobody knows in advance.
    @Test func `compactMap, filter, scan and tryScan deliver the transformed values`() {
        let numbers = (1...5).publisher.hidden()
        #expect(all(numbers.compactMap { $0 % 2 == 0 ? "\($0)" : nil }).values == ["2", "4"])
        #expect(all(numbers.filter { $0 > 3 }).values == [4, 5])
        #expect(all(numbers.scan(0, +)).values == [1, 3, 6, 10, 15])
        #expect(all(numbers.tryScan(0, +)).values == [1, 3, 6, 10, 15])
    }

    @Test func `Each subscriber of scan starts from the initial result`() {
        let sums = (1...3).publisher.hidden().scan(0, +)
        #expect(all(sums).values == [1, 3, 6])
        #expect(all(sums).values == [1, 3, 6])
    }

    @Test func `tryMap, tryFilter, tryCompactMap and tryScan end when their closure throws`() {
        let numbers = [1, 2, 3].publisher
        func limited(_ number: Int) throws -> Int {
            if number == 3 { throw Boom() }
            return number
        }
        let mapped = all(numbers.tryMap(limited))
        #expect(mapped.values == [1, 2])
        #expect(mapped.end.map { "\($0)" } == "failure(CombineFallbackTests.Boom())")
        #expect(all(numbers.tryFilter { try limited($0) > 0 }).values == [1, 2])
        #expect(all(numbers.tryCompactMap { try limited($0) == 1 ? nil : $0 }).values == [2])
        #expect(all(numbers.tryScan(0) { try $0 + limited($1) }).values == [1, 3])
    }

    @Test func `mapError replaces the failure, and setFailureType keeps a normal completion`() {
        let failing = Fail<Int, Boom>(error: Boom()).mapError { _ in URLError(.badURL) }
        #expect(all(failing).end == .failure(URLError(.badURL)))
        #expect(all(Just(1).setFailureType(to: Boom.self)).end == .finished)
    }

    @Test func `The decode and encode operators use the given coder, and decode fails with its DecodingError`() throws {
        let data = try JSONEncoder().encode(Point())
        #expect(all(Just(data).decode(type: Point.self, decoder: JSONDecoder())).values == [Point()])
        #expect(all(Just(Point()).encode(encoder: JSONEncoder())).values.count == 1)
        let list = try PropertyListEncoder().encode([1, 2])
        #expect(all(Just(list).decode(type: [Int].self, decoder: PropertyListDecoder())).values == [[1, 2]])
        let broken = all(Just(Data("{".utf8)).decode(type: Point.self, decoder: JSONDecoder()))
        guard case .failure(let error)? = broken.end else {
            Issue.record("decoded nonsense")
            return
        }
        #expect(error is DecodingError)
    }

    @Test func `The operators replaceNil, replaceEmpty and replaceError replace nil, an empty stream and a failure`() {
        #expect(all([1, nil, 3].publisher.replaceNil(with: 0)).values == [1, 0, 3])
        #expect(all(Empty<Int, Never>().replaceEmpty(with: 4)).values == [4])
        #expect(all(Just(1).replaceEmpty(with: 4)).values == [1])
        #expect(all(Fail<Int, Boom>(error: Boom()).replaceError(with: 5)).values == [5])
        #expect(all(Fail<Int, Boom>(error: Boom()).replaceEmpty(with: 5)).end == .failure(Boom()))
    }

    @Test func `replaceError keeps its replacement value until there is demand`() {
        let upstream = ManualPublisher<Int, Boom>()
        let tracker = TrackingSubscriber<Int, Never>(initial: .max(1))
        upstream.replaceError(with: 9).subscribe(tracker)
        upstream.send(1)
        upstream.send(completion: .failure(Boom()))
        #expect(tracker.values == [1])
        #expect(tracker.endings == 0)
        tracker.request(.max(1))
        #expect(tracker.events.suffix(2) == [.value(9), .finished])
    }

    @Test func `The operators first, last and collect deliver at most one result and pass on failures`() {
        let numbers = (1...5).publisher
        #expect(all(numbers.first()).values == [1])
        #expect(all(numbers.first { $0 > 3 }).values == [4])
        #expect(all(numbers.first { $0 > 9 }).end == .finished)
        #expect(all(numbers.last()).values == [5])
        #expect(all(numbers.collect()).values == [[1, 2, 3, 4, 5]])
        #expect(all(Empty<Int, Never>().collect()).values == [[]])
        #expect(all(Empty<Int, Never>().last()).values == [])
        #expect(all(Fail<Int, Boom>(error: Boom()).collect()).end == .failure(Boom()))
    }
}
