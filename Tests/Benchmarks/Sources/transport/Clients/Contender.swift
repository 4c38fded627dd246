/// Who is measured.
enum Contender: String, CaseIterable, Sendable, Codable {
    case c
    case events
    case response
    case start
    case kit
    case value
    case executor
    case async
    case futures
    case urlSession
    case kitDecoded
    case valueDecoded
    case executorDecoded
    case asyncDecoded

    var name: String {
        switch self {
        case .c: "libcurl in C"
        case .events: "CurlSession, `events(for:)`"
        case .response: "CurlSession, `response(to:)`"
        case .start: "the kit, `start()`"
        case .kit: "the kit, `sendRequest()`, with Foundation's response"
        case .value: "the kit, `value()`"
        case .executor: "the kit, `value()`, on the session's executor"
        case .async: "AsyncHTTPClient, `async`"
        case .futures: "AsyncHTTPClient, futures"
        case .urlSession: "URLSession, `response(to:)`"
        case .kitDecoded: "the kit, `start()`"
        case .valueDecoded: "the kit, `value()`"
        case .executorDecoded: "the kit, `value()`, on the session's executor"
        case .asyncDecoded: "AsyncHTTPClient, `async`, and `JSONDecoder`"
        }
    }

    /// Whether it makes models of what comes.
    var isDecoding: Bool {
        switch self {
        case .kitDecoded, .valueDecoded, .executorDecoded, .asyncDecoded: true
        default: false
        }
    }
}
