import APIBaseInspector
import APIBaseKit
import Testing

/// Reads the events of an inspector as its page does.
final class Page: APIBase {
    private let token: String

    init(_ inspector: Inspector) {
        token = inspector.url.fragment.map { String($0.dropFirst(2)) } ?? ""
        super.init()
        var url = URLComponents(url: inspector.url, resolvingAgainstBaseURL: true)
        url?.fragment = nil
        baseURL = url?.url
        path = "events"
    }

    override var authorization: Authorization? {
        get { .bearer(token) }
        set {}
    }

    /// The events until `count` calls are over.
    func events(_ count: Int = 1) async throws -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var over: Set<Int> = []
        for try await event in eachEvent() {
            events.append(event)
            guard event.type == "call" else { continue }
            let call = try JSONDecoder().decode(ShownCall.self, from: Data(event.data.utf8))
            if call.isOver { over.insert(call.id) }
            if over.count == count { break }
        }
        return events
    }

    /// The last state of each call, in the order of their IDs, when `count` calls are over.
    func calls(_ count: Int = 1) async throws -> [ShownCall] {
        var calls: [Int: ShownCall] = [:]
        for event in try await events(count) where event.type == "call" {
            let call = try JSONDecoder().decode(ShownCall.self, from: Data(event.data.utf8))
            calls[call.id] = call
        }
        return calls.values.sorted { $0.id < $1.id }
    }

    /// The only call, when it is over.
    func call() async throws -> ShownCall { try #require(try await calls().first) }
}
