import APIBaseKit
import Foundation
import Harness

/// The processor time of events in one response: the kit's `events()`, beside lines of `sendStream()` that are read by
/// hand with `JSONDecoder`, as most code for language models does.
///
/// The bytes come from a session in memory, so that the network hides nothing. A live server sends each event in a chunk
/// of its own; after a pause of the reader, many are in one.
@main
struct Events {
    private static let count = 10_000
    private static let data =
        #"{"id":"c1","model":"m","created":1766000000,"choices":[{"index":0,"delta":{"content":" word"}}]}"#

    static func main() {
        print(
            "| events | events(), ns each | by hand, ns each | by hand ÷ events() (quartiles) |\n|---|---:|---:|---:|"
        )
        for (name, perChunk) in [("an event in each chunk", 1), ("a hundred events in each chunk", 100)] {
            let chunk = Data(String(repeating: "data: \(data)\n\n", count: perChunk).utf8)
            let session = ChunkSession(
                Array(repeating: chunk, count: count / perChunk) + [Data("data: [DONE]\n\n".utf8)]
            )
            let ours = Line(name, elements: count) { read(ChatRequest(session).events()) }
            let theirs = Line("lines and JSONDecoder", elements: count) { read(byHand(ChatRequest(session))) }
            let duel = Duel(ours, against: theirs)
            guard let hand = duel.theirs, let ratio = duel.ratio else { continue }
            let times = [duel.ours.median, hand.median].map { Int($0 / Double(count)) }
            let ratios = [ratio.median, ratio.lower, ratio.upper].map { fixed($0, digits: 2) }
            print("| \(name) | \(times[0]) | \(times[1]) | **\(ratios[0])** (\(ratios[1])–\(ratios[2])) |")
        }
    }

    private static func byHand(_ request: ChatRequest) -> AnyPublisher<Delta, any Error> {
        let decoder = JSONDecoder()
        return request.sendStream().body.lines()
            .filter { $0.hasPrefix("data: ") }
            .map { $0.dropFirst(6) }
            .prefix { $0 != "[DONE]" }
            .tryMap { try decoder.decode(Delta.self, from: Data($0.utf8)) }
            .eraseToAnyPublisher()
    }

    private static func read(_ events: AnyPublisher<Delta, any Error>) {
        var received = 0
        let reading = events.sink(receiveCompletion: { _ in }, receiveValue: { _ in received += 1 })
        precondition(received == count, "\(received) events have come.")
        withExtendedLifetime(reading) {}
    }
}

private struct Delta: Decodable, Sendable {
    struct Choice: Decodable, Sendable {
        struct Content: Decodable, Sendable { let content: String? }
        let index: Int
        let delta: Content
    }
    let id: String
    let choices: [Choice]
}

private final class ChatRequest: JSONAPI, EventRequest {
    typealias EventType = Delta
    let endMark: String? = "[DONE]"

    init(_ session: any HTTPSession) {
        super.init(.post("http://127.0.0.1/chat", json: ["stream": true]))
        self.session = session
    }
}

/// A session that answers each request with these chunks.
private final class ChunkSession: HTTPSession {
    private let chunks: [Data]

    init(_ chunks: [Data]) { self.chunks = chunks }

    func exchange(_ request: ExchangeRequest) -> AnyPublisher<ExchangeRequest.Event, TransportError> {
        let url = request.urlRequest.url ?? URL(fileURLWithPath: "/")
        let head = ResponseHead(statusCode: 200, headers: ["Content-Type": "text/event-stream"], url: url)
        let events = [ExchangeRequest.Event.head(head)] + chunks.map { .body($0) }
        return events.publisher.setFailureType(to: TransportError.self).eraseToAnyPublisher()
    }
}
