import Foundation
import PortableCombine

/// One operator, set up so that it passes positive numbers on as they are.
struct OperatorCase: Sendable, CustomStringConvertible {
    typealias Stream = AnyPublisher<Int, any Error>

    let name: String
    /// What `print()` shows of its subscription; nil if it hands on upstream's.
    let describes: String?
    /// Whether it asks for everything and ends with a value of its own.
    var gathers = false
    /// Whether it asks upstream for less than downstream asks of it, so that a subject's values get lost.
    var asksForLess = false
    /// Whether downstream gets its subscription before upstream is subscribed to.
    var isFirst = false
    /// What it publishes of 1 to 100; nil if that is all of them, or if a test knows by its name.
    var result: [Int]?
    let apply: @Sendable (Stream) -> Stream

    var description: String { name }
    var isTransparent: Bool { describes == nil }
    /// Whether what is asked for is not what downstream asks for, or not when it asks for it.
    var asksOfItself: Bool { name.hasPrefix("flatMap") || Self.asking.contains(name) }
    private static let asking: Set = ["buffer by request", "receive(on:)", "delay", "timeout"]
}

extension OperatorCase {
    static let all: [OperatorCase] = transparent + ending + gathering + moving + reducing + selecting + joining

    /// Operators that change a value into itself.
    static let streaming: [OperatorCase] = all.filter { !$0.gathers }
    /// Operators with a subscription of their own.
    static let own: [OperatorCase] = all.filter { !$0.isTransparent }

    static func erased<P: Publisher>(_ publisher: P) -> Stream where P.Output == Int, P.Failure == any Error {
        publisher.eraseToAnyPublisher()
    }

    private struct Number {
        let value: Int
    }

    private static let transparent: [OperatorCase] = [
        OperatorCase(name: "map", describes: nil) { erased($0.map { $0 }) },
        OperatorCase(name: "map key path", describes: nil) { erased($0.map(Number.init).map(\.value)) },
        OperatorCase(name: "mapError", describes: nil) { erased($0.mapError { $0 }) },
        OperatorCase(name: "compactMap", describes: nil) { erased($0.compactMap { $0 > 0 ? $0 : nil }) },
        OperatorCase(name: "filter", describes: nil) { erased($0.filter { $0 > 0 }) },
        OperatorCase(name: "scan", describes: nil) { erased($0.scan(0) { $1 }) },
        OperatorCase(name: "replaceNil", describes: nil) { erased($0.map { Int?.some($0) }.replaceNil(with: 0)) },
        OperatorCase(name: "setFailureType", describes: "ReplaceError") {
            erased($0.replaceError(with: -1).setFailureType(to: (any Error).self))
        },
        OperatorCase(name: "assertNoFailure", describes: "ReplaceError") {
            erased(
                $0.replaceError(with: -1).setFailureType(to: Boom.self).assertNoFailure().setFailureType(
                    to: (any Error).self
                )
            )
        },
    ]

    private static let ending: [OperatorCase] = [
        OperatorCase(name: "tryMap", describes: "TryMap") { erased($0.tryMap { $0 }) },
        OperatorCase(name: "tryCompactMap", describes: "TryCompactMap") {
            erased($0.tryCompactMap { $0 > 0 ? $0 : nil })
        },
        OperatorCase(name: "tryFilter", describes: "TryFilter") { erased($0.tryFilter { $0 > 0 }) },
        OperatorCase(name: "tryScan", describes: "TryScan") { erased($0.tryScan(0) { $1 }) },
        OperatorCase(name: "decode", describes: "Decode") {
            erased($0.map { Data("\($0)".utf8) }.decode(type: Int.self, decoder: JSONDecoder()))
        },
        OperatorCase(name: "encode", describes: "Encode") {
            erased($0.encode(encoder: JSONEncoder()).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 })
        },
        OperatorCase(name: "replaceEmpty", describes: "ReplaceEmpty") { erased($0.replaceEmpty(with: -1)) },
        OperatorCase(name: "catch", describes: "Catch") {
            erased($0.catch { Fail<Int, any Error>(error: $0) })
        },
        OperatorCase(name: "tryCatch", describes: "TryCatch") {
            erased($0.tryCatch { error -> Stream in throw error })
        },
        OperatorCase(name: "retry", describes: "Retry") { erased($0.retry(0)) },
        OperatorCase(name: "handleEvents", describes: "HandleEvents") {
            erased($0.handleEvents(receiveOutput: { _ in }))
        },
        OperatorCase(name: "print", describes: "Print") { erased($0.print("x", to: Nowhere())) },
        OperatorCase(name: "flatMap", describes: "FlatMap", isFirst: true) {
            erased($0.flatMap { Just($0).setFailureType(to: (any Error).self) })
        },
        OperatorCase(name: "flatMap one by one", describes: "FlatMap", asksForLess: true, isFirst: true) {
            erased($0.flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: (any Error).self) })
        },
        OperatorCase(name: "combineLatest", describes: "CombineLatest", isFirst: true) {
            erased($0.combineLatest(Just(0).setFailureType(to: (any Error).self)) { number, _ in number })
        },
    ]

    private static let gathering: [OperatorCase] = [
        OperatorCase(name: "first", describes: "First", gathers: true) { erased($0.first()) },
        OperatorCase(name: "first(where:)", describes: "FirstWhere", gathers: true) { erased($0.first { $0 > 0 }) },
        OperatorCase(name: "last", describes: "Last", gathers: true) { erased($0.last()) },
        OperatorCase(name: "collect", describes: "Collect", gathers: true) { erased($0.collect().map(\.count)) },
        OperatorCase(name: "debounce", describes: "Debounce", gathers: true) {
            erased($0.debounce(for: 0, scheduler: ImmediateScheduler.shared))
        },
    ]

    private static let moving: [OperatorCase] = [
        OperatorCase(name: "receive(on:)", describes: "ReceiveOn") {
            erased($0.receive(on: ImmediateScheduler.shared))
        },
        OperatorCase(name: "subscribe(on:)", describes: "SubscribeOn") {
            erased($0.subscribe(on: ImmediateScheduler.shared))
        },
    ]
}

private struct Nowhere: TextOutputStream {
    mutating func write(_ string: String) {}
}
