import APIBaseKit
import Basics
import HostileServer

/// The request objects that are alive.
final class Alive: Sendable {
    private let number = Locked(0)

    var count: Int { number.withLock { $0 } }

    fileprivate func change(by change: Int) { number.withLock { $0 += change } }
}

/// A feature whose values are read from a response.
enum Reading: CaseIterable {
    case events, replyEvents, progress, text, part

    fileprivate class Leaf: JSONAPI {
        private let alive: Alive

        init(_ base: URL?, _ alive: Alive) {
            self.alive = alive
            super.init(.post("/x", json: ["stream": true]))
            (baseURL, session) = (base, EverySession.current)
            alive.change(by: 1)
        }

        deinit { alive.change(by: -1) }
    }

    private final class Events: Leaf, EventRequest { typealias EventType = Int }
    private final class Text: Leaf, Request { typealias ModelType = String }
    private final class Part: Leaf, Request {
        func start() -> AnyPublisher<Int, any Error> { decoded(Int.self, at: "a.0") }
    }

    static func cancelAll() { Leaf.cancelAll() }

    var isOfEvents: Bool { self == .events || self == .replyEvents }

    var type: String { isOfEvents ? "text/event-stream" : self == .part ? "application/json" : "text/plain" }

    /// The two halves of a body, of which the first has a value or a count.
    var halves: (String, String) {
        isOfEvents ? ("data: 1\n\n", "data: 2\n\n") : self == .part ? (#"{"a": [1"#, ", 2]}") : ("te", "xt")
    }

    /// The values of a whole response.
    var values: [String] {
        switch self {
        case .events, .replyEvents: ["1", "2"]
        case .part: ["1"]
        case .text, .progress: ["text"]
        }
    }

    /// The head of a response with this number of bytes.
    func head(_ count: Int, _ more: String = "") -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(count)\r\n\(more)\r\n"
    }

    /// A publisher of the values, and the object's count of bytes.
    private func start(
        _ base: URL?,
        _ alive: Alive
    ) -> (AnyPublisher<String, any Error>, Published<(received: Int64, expected: Int64)>.Publisher) {
        func words<Value>(_ values: AnyPublisher<Value, any Error>) -> AnyPublisher<String, any Error> {
            values.map { "\($0)" }.eraseToAnyPublisher()
        }
        switch self {
        case .events:
            let call = Events(base, alive)
            return (words(call.events()), call.$downloadProgress)
        case .replyEvents:
            let call = Leaf(base, alive)
            return (words(call.replyEvents().map(\.data).eraseToAnyPublisher()), call.$downloadProgress)
        case .part:
            let call = Part(base, alive)
            return (words(call.start()), call.$downloadProgress)
        case .text, .progress:
            let call = Text(base, alive)
            return (call.start(), call.$downloadProgress)
        }
    }

    /// The values as a publisher. `began` is called when a part of the response has been read.
    func publisher(_ base: URL?, _ alive: Alive, began: Later<Void>? = nil) -> AnyPublisher<String, any Error> {
        let (values, progress) = start(base, alive)
        let watch = progress.sink { if $0.received > 0 { began?.set() } }
        return values.handleEvents(
            receiveOutput: { _ in began?.set() },
            receiveCompletion: { _ in watch.cancel() },
            receiveCancel: { watch.cancel() }
        )
        .eraseToAnyPublisher()
    }

    /// Takes the values in a loop.
    func loop(_ base: URL?, _ alive: Alive, began: Later<Void>? = nil, _ take: (String) -> Void) async throws {
        switch self {
        case .progress:
            for try await step in Text(base, alive).eachProgress() {
                switch step {
                case .sent: break
                case .received(let bytes, _): if bytes > 0 { began?.set() }
                case .value(let text): take(text)
                }
            }
        case .events:
            for try await value in Events(base, alive).eachValue() {
                began?.set()
                take("\(value)")
            }
        default:
            for try await value in CallSequence(publisher(base, alive, began: began)) { take(value) }
        }
    }
}
