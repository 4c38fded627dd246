/// Who is measured.
enum Contender: String, CaseIterable, Sendable, Codable {
    case c
    case events
    case response
    case kit
    case decoding
    case async
    case futures
    case urlSession

    var name: String {
        switch self {
        case .c: "libcurl in C"
        case .events: "CurlSession, `events(for:)`"
        case .response: "CurlSession, `response(to:)`"
        case .kit: "the kit, without decoding"
        case .decoding: "the kit, decoded"
        case .async: "AsyncHTTPClient, `async`"
        case .futures: "AsyncHTTPClient, futures"
        case .urlSession: "URLSession, `response(to:)`"
        }
    }
}
