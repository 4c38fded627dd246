import APIBaseKit
import APIBaseRecording
import Basics
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Makes entries of HAR as a recording does: without secrets. Of each body, the first 64 KiB are kept.
struct ExchangeRedactor {
    static let bodyLimit = 64 << 10
    private static let messageLimit = 1 << 10
    /// The bytes after the kept ones that are searched for names of secrets, since a name may follow its value.
    private static let lookahead = 8 << 10
    static let searchedMessage = messageLimit + lookahead

    private let rules: RedactionRules
    private var secrets = RecentSecrets()
    /// Redactors that have seen nothing, by the names of further secret headers: making one takes long.
    private var unused: [Set<String>: Redactor]

    init(_ rules: RedactionRules) {
        self.rules = rules
        unused = [[]: Redactor(rules)]
    }

    /// A request that has no response yet.
    mutating func request(_ request: URLRequest, secretHeaders: Set<String>) -> HAR.Request {
        var result = HAR.Request(request, body: Self.keptBody(of: request))
        var redactor = redactor(secretHeaders)
        redactor.redact(&result)
        secrets.insert(redactor.secrets)
        secrets.remove(from: &result)
        _ = result.cutBody(to: Self.bodyLimit)
        return result
    }

    /// A request with its response.
    mutating func entry(_ exchange: ObservedExchange, secretHeaders: Set<String>) -> HAR.Entry {
        let kept = Self.keptBody(of: exchange.request)
        var entry = HAR.Entry(
            HAR.Request(exchange.request, body: kept),
            exchange.head,
            body: exchange.body.prefix(keeping: Self.bodyLimit + Self.lookahead),
            started: exchange.started,
            wait: exchange.wait,
            time: exchange.time
        )
        entry.leaveOutCodedBodies(
            ofRequest: exchange.request.httpBody?.isEmpty == false && kept.isEmpty,
            ofResponse: exchange.head.mayStillCode(exchange.body)
        )
        var redactor = redactor(secretHeaders)
        redactor.redact(&entry)
        secrets.insert(redactor.secrets)
        secrets.remove(from: &entry)
        if exchange.size > 0, exchange.body.isEmpty {
            entry.setSizeOnly(exchange.size)
            if exchange.isStream { entry.comment = "The body was read as a stream." }
        }
        entry.cutBodies(to: Self.bodyLimit)
        let isPart = exchange.body.count > Self.bodyLimit || exchange.size > exchange.body.count
        if isPart { entry.response.content.size = exchange.size }
        entry.request.bodySize = max(entry.request.bodySize, exchange.sentSize)
        return entry
    }

    /// Redacts messages of a socket, and keeps the beginning of each.
    mutating func redact(_ frames: inout SocketFrames, secretHeaders: Set<String>) {
        var redactor = redactor(secretHeaders)
        for index in frames.newest.indices {
            let content = frames.newest[index].message.content
            let bytes = redactor.redacted(content.bytes, type: "")
            secrets.insert(redactor.secrets)
            let kept = secrets.removed(from: bytes).prefix(keeping: Self.messageLimit)
            frames.newest[index].message.content = content.with(kept)
        }
    }

    /// A text of the program, such as that of an error, without known secrets.
    func text(_ text: String) -> String {
        var redactor = unused[[]] ?? Redactor(rules)
        return secrets.removed(from: redactor.redacted(text))
    }

    private mutating func redactor(_ secretHeaders: Set<String>) -> Redactor {
        if let redactor = unused[secretHeaders] { return redactor }
        let redactor = Redactor(rules, secretHeaders: secretHeaders)
        if unused.count < 100 { unused[secretHeaders] = redactor }
        return redactor
    }

    /// The body of a request. In coded bytes, secrets cannot be found.
    private static func keptBody(of request: URLRequest) -> Data {
        guard let body = request.httpBody.flatMap(request.bodyCodings.content) else { return Data() }
        return body.prefix(keeping: bodyLimit + lookahead)
    }
}

/// A request and its response, with their secrets.
struct ObservedExchange {
    let request: URLRequest
    let head: ResponseHead
    /// The bytes of the body that were kept.
    var body = Data()
    /// Whether the body was read as a stream, and not kept.
    var isStream = false
    /// The bytes of the body, also those that were not kept.
    var size: Int
    /// The bytes of the request's body that were sent.
    var sentSize = 0
    let started: Date
    let wait: Duration
    let time: Duration
}

/// The newest secrets: a server may repeat one in a later response. Old ones are forgotten, so that they do not pile up.
private struct RecentSecrets {
    private var (current, last) = (Secrets(), Secrets())

    mutating func insert(_ found: Secrets) {
        current.formUnion(found)
        if current.count > 30_000 { (current, last) = (Secrets(), current) }
    }

    func remove(from entry: inout HAR.Entry) {
        last.remove(from: &entry)
        current.remove(from: &entry)
    }

    func remove(from request: inout HAR.Request) {
        last.remove(from: &request)
        current.remove(from: &request)
    }

    func removed(from text: String) -> String { current.removed(from: last.removed(from: text)) }

    func removed(from data: Data) -> Data { current.removed(from: last.removed(from: data)) }
}

extension Data {
    /// The first bytes, without an incomplete character at their end.
    func prefix(keeping limit: Int) -> Data { count > limit ? prefix(limit).withoutCutCharacter : self }
}

extension HAR.Entry {
    /// Says how long the body of the response was, which is not known itself.
    mutating func setSizeOnly(_ size: Int) {
        (response.content.text, response.content.size) = (nil, size)
        comment = "Only the size of the body is known."
    }

    /// Keeps the beginnings of long bodies, with a comment.
    mutating func cutBodies(to limit: Int) {
        let isCut = (request.cutBody(to: limit), response.content.cut(to: limit))
        if isCut.0 || isCut.1 { comment = "Of each body, the first \(limit) bytes are shown." }
    }
}

extension HAR.Request {
    fileprivate mutating func cutBody(to limit: Int) -> Bool {
        guard let text = postData?.text?.cut(to: limit, isCoded: postData?.encoding != nil) else { return false }
        postData?.text = text
        return true
    }
}

extension HAR.Content {
    fileprivate mutating func cut(to limit: Int) -> Bool {
        guard let text = text?.cut(to: limit, isCoded: encoding != nil) else { return false }
        self.text = text
        return true
    }
}

extension String {
    /// The beginning of a longer text, or of Base64 for that number of bytes; `nil` if nothing is to be cut.
    fileprivate func cut(to limit: Int, isCoded: Bool) -> String? {
        let limit = isCoded ? limit / 3 * 4 : limit
        guard utf8.count > limit else { return nil }
        return String(decoding: Data(utf8.prefix(limit)).withoutCutCharacter, as: UTF8.self)
    }
}
