#if os(Linux) && !canImport(Combine)
import APIBaseKit
import Basics
import Foundation
import HostileServer

extension Extremes {
    private typealias Span = DispatchQueue.SchedulerTimeType.Stride
    private static let soon: [(String, Span)] = [
        ("seconds min", .seconds(Int.min)), ("nanoseconds min", .nanoseconds(.min)), ("-1", .seconds(-1)),
        ("0", .seconds(0)), ("-infinity", .seconds(-Double.infinity)),
    ]
    private static let never: [(String, Span)] = [
        ("nanoseconds max", .nanoseconds(.max)), ("seconds max", .seconds(Int.max)),
        ("infinity", .seconds(Double.infinity)), ("nan", .seconds(Double.nan)),
    ]
    private static let queue = DispatchQueue(label: "Extremes")

    /// The values of a publisher, and whether it completes, until `isEnough` or the time limit.
    private static func values(
        of publisher: some Publisher<some Any, any Error>,
        within time: Duration = .seconds(15),
        isEnough: @escaping @Sendable ([String]) -> Bool = { _ in false }
    ) async throws -> String {
        let (seen, end) = (Locked<[String]>([]), Later<Void>())
        let subscription = publisher.sink { _ in
            end.set()
        } receiveValue: { value in
            seen.withLock { $0.append("\(value)") }
        }
        defer { subscription.cancel() }
        _ = try await holds(within: time) { end.isSet || isEnough(seen.withLock { $0 }) }
        return seen.withLock { $0 }.joined(separator: " ") + (end.isSet ? "." : "…")
    }

    /// The same for a silent publisher.
    private static func nothing(of publisher: some Publisher<some Any, any Error>) async throws -> String {
        try await values(of: publisher, within: .milliseconds(200))
    }

    /// The last value of a publisher of three.
    private static func last(of publisher: some Publisher<Int, any Error>) async throws -> String {
        try await values(of: publisher) { $0.last == "3" }.split(separator: " ").last.map(String.init) ?? "none"
    }

    private static func three() -> AnyPublisher<Int, any Error> {
        // Erased, to use the general operators instead of those of a sequence.
        [1, 2, 3].publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }

    /// A publisher that does not complete.
    private static func open() -> AnyPublisher<Int, any Error> {
        three().append(Empty(completeImmediately: false)).eraseToAnyPublisher()
    }

    static var combine: [Row] {
        let counts = Array(integers.dropFirst(2))
        return all(
            rows("prefix", counts, ".", "1.", "1 2 3.") { try await values(of: three().prefix($0)) },
            rows("dropFirst", counts, "1 2 3.", "2 3.", ".") { try await values(of: three().dropFirst($0)) },
            rows("output(at:)", Array(counts.dropLast()), "1.", "2.") { try await values(of: three().output(at: $0)) },
            rows("collect", Array(counts.dropFirst()), "[1] [2] [3].", "[1, 2, 3].") {
                try await values(of: three().collect($0))
            },
            rows("retry", Array(integers.dropLast()), ".") { count in
                try await values(of: Fail<Int, any Error>(error: CancellationError()).retry(count))
            },
            rows("retry, then right", [("max", Int.max)], "1 2 3.") { count in
                let left = Locked(3)
                return try await values(
                    of: Deferred { () -> AnyPublisher<Int, any Error> in
                        let fails = left.withLock { left in
                            left -= 1
                            return left > 0
                        }
                        return fails ? Fail(error: CancellationError()).eraseToAnyPublisher() : three()
                    }
                    .retry(count)
                )
            },
            rows("buffer(size:)", Array(counts.dropFirst()), "1 2 3.") { size in
                try await values(of: three().buffer(size: size, prefetch: .keepFull, whenFull: .dropNewest))
            },
            rows(
                "flatMap(maxPublishers:)",
                [("1", .max(1)), ("max", .max(.max)), ("unlimited", .unlimited)] as [(String, Subscribers.Demand)],
                "1 2 3."
            ) { demand in
                try await values(
                    of: three().flatMap(maxPublishers: demand) { Just($0).setFailureType(to: (any Error).self) }
                )
            },
            rows("delay", soon, "3…") { try await last(of: open().delay(for: $0, scheduler: queue)) },
            rows("delay", never, "…") { try await nothing(of: open().delay(for: $0, scheduler: queue)) },
            rows("debounce", soon, "3…") { try await last(of: open().debounce(for: $0, scheduler: queue)) },
            rows("debounce", never, "…") { try await nothing(of: open().debounce(for: $0, scheduler: queue)) },
            rows("throttle", soon, "3…") {
                try await last(of: open().throttle(for: $0, scheduler: queue, latest: true))
            },
            // The first value, or the latest before the queue ran.
            rows("throttle", never, "one") { span in
                let publisher = open().throttle(for: span, scheduler: queue, latest: true)
                return try await values(of: publisher) { !$0.isEmpty }.count == 2 ? "one" : "more"
            },
            rows("timeout", soon, ".") { span in
                try await values(of: open().timeout(span, scheduler: queue)).last.map(String.init) ?? ""
            },
            rows("timeout", never, "1 2 3…") { span in
                try await nothing(of: open().timeout(span, scheduler: queue))
            },
            rows("collect(.byTime)", never, "…") { try await nothing(of: open().collect(.byTime(queue, $0))) }
        )
    }
}
#endif
