import Chains
import Foundation

/// One operator as a library has it: numbers in, numbers out. Its arguments are made from a number from 0 to 5.
struct Entry: Sendable {
    let name: String
    let apply: @Sendable (Stream, Int, World) -> Stream

    init<P: Publisher & SendableMetatype>(_ name: String, _ apply: @escaping @Sendable (Stream, Int, World) -> P)
    where P.Output == Int, P.Failure == any Error {
        self.name = name
        self.apply = { apply($0, $1, $2).eraseToAnyPublisher() }
    }

    /// For operators after which nothing can fail.
    init<P: Publisher & SendableMetatype>(harmless name: String, _ apply: @escaping @Sendable (Stream, Int, World) -> P)
    where P.Output == Int, P.Failure == Never {
        self.name = name
        self.apply = { apply($0, $1, $2).setFailureType(to: (any Error).self).eraseToAnyPublisher() }
    }
}

/// Operators on one upstream that pass values on.
let transforming: [Entry] = [
    Entry("map") { up, n, _ in up.map { $0 + n } },
    Entry("tryMap") { up, n, world in
        up.tryMap { value in
            world.called("tryMap")
            try check(value % 6 != n, 30)
            return value + 1
        }
    },
    Entry("map key path") { up, _, _ in up.map(\.magnitude).map { Int($0) } },
    Entry("compactMap") { up, n, _ in up.compactMap { $0 % 6 == n ? nil : $0 } },
    Entry("tryCompactMap") { up, n, world in
        up.tryCompactMap { value -> Int? in
            world.called("tryCompactMap")
            try check(value != n, 31)
            return value % 3 == 0 ? nil : value
        }
    },
    Entry("filter") { up, n, _ in up.filter { $0 % 6 != n } },
    Entry("tryFilter") { up, n, world in
        up.tryFilter { value in
            world.called("tryFilter")
            try check(value != n, 32)
            return value % 3 != 0
        }
    },
    Entry("scan") { up, n, _ in up.scan(n) { $0 + $1 } },
    Entry("tryScan") { up, n, world in
        up.tryScan(n) { sum, value in
            world.called("tryScan")
            try check(value % 6 != n, 33)
            return sum + value
        }
    },
    Entry("replaceNil") { up, n, _ in up.map { $0 % 2 == 0 ? nil : $0 }.replaceNil(with: n) },
    Entry("encode") { up, _, _ in
        up.encode(encoder: JSONEncoder()).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    },
    Entry("decode") { up, n, _ in
        up.map { Data(($0 % 6 == n ? "x" : "\($0)").utf8) }
            .decode(type: Int.self, decoder: JSONDecoder())
            .mapError { $0 is Boom ? $0 : Boom(code: 34) }
    },
    Entry("handleEvents") { up, _, world in
        up.handleEvents(
            receiveSubscription: { _ in world.called("handle subscription") },
            receiveOutput: { world.called("handle \($0)") },
            receiveCompletion: { _ in world.called("handle end") },
            receiveCancel: { world.called("handle cancel") },
            receiveRequest: { _ in world.called("handle request") }
        )
    },
]

/// Operators that deal with failures and with streams of nothing.
let recovering: [Entry] = [
    Entry("mapError") { up, n, _ in up.mapError { _ in Boom(code: n) } },
    Entry(harmless: "replaceError") { up, n, _ in up.replaceError(with: n) },
    Entry("replaceEmpty") { up, n, _ in up.replaceEmpty(with: n) },
    Entry("catch") { up, n, world in
        up.catch { error -> Stream in
            world.called("catch \(error)")
            return world.other(n)
        }
    },
    Entry("tryCatch") { up, n, world in
        up.tryCatch { error -> Stream in
            world.called("tryCatch \(error)")
            try check(n != 0, 35)
            return world.other(n)
        }
    },
    Entry("retry") { up, n, _ in up.retry(n % 3) },
    Entry(harmless: "assertNoFailure") { up, n, _ in up.replaceError(with: n).assertNoFailure() },
]

/// Operators that end the stream themselves, or gather it.
let ending: [Entry] = [
    Entry("first") { up, _, _ in up.first() },
    Entry("first(where:)") { up, n, _ in up.first { $0 > n } },
    Entry("last") { up, _, _ in up.last() },
    Entry("collect") { up, _, _ in up.collect().map { $0.reduce($0.count * 100, +) } },
]

/// Operators over several publishers.
let joining: [Entry] = [
    Entry("flatMap") { up, n, world in
        up.flatMap(maxPublishers: n == 0 ? .unlimited : .max(n)) { value in
            world.called("flatMap")
            return world.other((value + n) % 6)
        }
    },
    Entry("flatMap of Just") { up, n, _ in
        up.flatMap(maxPublishers: n == 0 ? .unlimited : .max(n)) { Just($0).setFailureType(to: (any Error).self) }
    },
]

/// Operators that change thread or time.
let moving: [Entry] = [
    Entry("receive(on:) immediate") { up, _, _ in up.receive(on: ImmediateScheduler.shared) },
    Entry("receive(on:)") { up, _, world in up.receive(on: world.clock) },
    Entry("subscribe(on:) immediate") { up, _, _ in up.subscribe(on: ImmediateScheduler.shared) },
    Entry("subscribe(on:)") { up, _, world in up.subscribe(on: world.clock) },
    Entry("debounce") { up, n, world in up.debounce(for: .seconds(n), scheduler: world.clock) },
]
