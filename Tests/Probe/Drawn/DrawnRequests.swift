#if os(Linux)
import APIBaseKit
import Basics

/// The random choices for the overrides of a request object.
struct DrawnHooks: Sendable {
    /// The number of choices for each override.
    static let choices = 4

    var start = 0, build = 0, encode = 0, intercept = 0, retryDelay = 0, accepts = 0, error = 0, decode = 0
    var reports = false
    /// The reported events.
    let events = Locked<[String]>([])

    init() {}

    init(_ numbers: inout RandomNumbers) {
        for hook in [
            \DrawnHooks.start, \.build, \.encode, \.intercept, \.retryDelay, \.accepts, \.error, \.decode,
        ] as [WritableKeyPath<DrawnHooks, Int>] where Int.random(in: 0..<3, using: &numbers) == 0 {
            self[keyPath: hook] = Int.random(in: 1..<Self.choices, using: &numbers)
        }
        reports = Bool.random(using: &numbers)
    }

    func takeEvents() -> [String] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

struct DrawnModel: Codable, Sendable {
    var id: Int
    var name: String?
}

struct DrawnError: Error { var status: Int }

/// A class without overrides.
class PlainDrawnAPI: JSONAPI {
    /// Called before a leaf's own settings. Does nothing.
    func take(_ hooks: DrawnHooks) {}
}

/// A class that overrides everything, by the random choices.
class HookedDrawnAPI: PlainDrawnAPI {
    private var hooks = DrawnHooks()

    override func take(_ hooks: DrawnHooks) { self.hooks = hooks }

    override func startRequest() -> AnyPublisher<DataResponseTuple, any Error> {
        switch hooks.start {
        case 1: super.startRequest().validateStatusCode(in: 200..<300).eraseToAnyPublisher()
        case 2: super.startRequest().hasContentType("application/json").map { $0 }.eraseToAnyPublisher()
        case 3: super.startRequest().retry(1).eraseToAnyPublisher()
        default: super.startRequest()
        }
    }

    override func buildURLRequest() throws -> URLRequest {
        var request = try super.buildURLRequest()
        switch hooks.build {
        case 1: request.setValue("built", forHTTPHeaderField: "X-Built")
        case 2: request.timeoutInterval = 5
        case 3: if request.httpMethod == "PUT" { throw DrawnError(status: 0) }
        default: break
        }
        return request
    }

    override func encodeBody() throws -> Data? {
        switch hooks.encode {
        case 1: method == .get ? nil : Data("own".utf8)
        case 2: try super.encodeBody().map { $0 + Data(" ".utf8) }
        default: try super.encodeBody()
        }
    }

    override func intercept(_ request: URLRequest, next: @escaping (URLRequest) -> ReplyPublisher) -> ReplyPublisher {
        var request = request
        switch hooks.intercept {
        case 1:
            request.setValue("seen", forHTTPHeaderField: "X-Intercepted")
            return super.intercept(request, next: next)
        case 2:
            let changed = request
            return AnyPublisher.awaiting { changed }.flatMap(next).eraseToAnyPublisher()
        case 3: return super.intercept(request, next: next).map { $0 }.eraseToAnyPublisher()
        default: return super.intercept(request, next: next)
        }
    }

    override func retryDelay(after attempt: RetryPolicy.FailedAttempt) -> Duration? {
        switch hooks.retryDelay {
        case 1: .zero
        case 2: nil
        default: super.retryDelay(after: attempt)
        }
    }

    override func accepts(_ response: HTTPURLResponse) -> Bool {
        hooks.accepts == 1 ? true : hooks.accepts == 2 ? response.statusCode == 200 : super.accepts(response)
    }

    override func error(for failure: HTTPFailure) -> any Error {
        hooks.error == 1 ? DrawnError(status: failure.statusCode) : super.error(for: failure)
    }

    override func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        switch hooks.decode {
        case 1: try super.decode(type, from: data.isEmpty ? Data(#"{"id": 0}"#.utf8) : data)
        case 2: throw DrawnError(status: 1)
        default: try super.decode(type, from: data)
        }
    }

    override func report(_ event: CallEvent) {
        guard hooks.reports else { return }
        let status = event.timings?.statusCode.map { " \($0)" } ?? ""
        let name = "\(event)".prefix { $0 != "(" }
        hooks.events.withLock { $0.append("\(name) \(event.call.attempt)\(status)") }
    }
}

final class PlainDrawnRequest: PlainDrawnAPI, LinkPagedRequest { typealias ModelType = DrawnModel }
final class HookedDrawnRequest: HookedDrawnAPI, LinkPagedRequest { typealias ModelType = DrawnModel }
#endif
