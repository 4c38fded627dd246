import Foundation
import HTTPTransport
import PortableCombine

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The entry of one exchange while that goes on.
struct RecordedEntryBuilder: Sendable {
    private let store: RecordingStore
    private let request: HAR.Request
    private let secretHeaders: Set<String>
    private let place: Int
    private let date = Date()
    private let start = ContinuousClock.now
    private var headTime: Duration?
    private var head: ResponseHead?
    private var body = Data()

    /// - Parameters:
    ///   - request: What is sent, with everything that is secret in it.
    ///   - secretHeaders: The headers that it declares secret.
    ///   - store: Where the entry will be, behind those of exchanges that have begun before.
    init(_ request: HAR.Request, secretHeaders: Set<String>, in store: RecordingStore) {
        self.request = request
        self.secretHeaders = secretHeaders
        self.store = store
        place = store.begin()
    }

    mutating func note(_ event: ExchangeEvent) {
        switch event {
        case .sent: break
        case .head(let head):
            self.head = head
            headTime = ContinuousClock.now - start
        case .body(let data): body.append(data)
        }
    }

    /// Hands over what there is; nothing if no answer came.
    func keep(isWhole: Bool) {
        guard let head else { return }
        let time = ContinuousClock.now - start
        var entry = HAR.Entry(
            startedDateTime: date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)),
            time: time.milliseconds,
            request: request,
            response: HAR.Response(head, body: body),
            timings: HAR.Timings(
                wait: (headTime ?? time).milliseconds,
                receive: (time - (headTime ?? time)).milliseconds
            )
        )
        if !isWhole { entry.comment = "The reply was not read to its end." }
        store.keep(entry, at: place, secretHeaders: secretHeaders)
    }
}

extension Duration {
    /// In milliseconds, to the microsecond.
    fileprivate var milliseconds: Double { ((self / .microseconds(1)).rounded()) / 1000 }
}

extension HAR.Request {
    /// A request as it is sent.
    init(_ request: URLRequest, body: Data) {
        let text = request.url?.absoluteString ?? ""
        let url = String(text.prefix { $0 != "#" })
        let headers = HTTPHeaders(request.allHTTPHeaderFields ?? [:])
        self.init(
            method: HTTPMethod(rawValue: request.httpMethod ?? "GET").rawValue,
            url: url,
            httpVersion: "unknown",
            cookies: [],
            headers: headers.map { HAR.Field(name: $0.name, value: $0.value) },
            queryString: (URLComponents(string: url)?.queryItems ?? []).map {
                HAR.Field(name: $0.name, value: $0.value ?? "")
            },
            postData: body.isEmpty
                ? nil : HAR.PostData(body, type: headers["Content-Type"] ?? "application/octet-stream"),
            bodySize: body.count
        )
    }
}

extension HAR.Response {
    /// A response as it came.
    init(_ head: ResponseHead, body: Data) {
        let headers = head.headers
        self.init(
            status: head.statusCode,
            statusText: "",
            httpVersion: head.httpVersion ?? "unknown",
            cookies: [],
            headers: headers.map { HAR.Field(name: $0.name, value: $0.value) },
            content: HAR.Content(body, type: headers["Content-Type"] ?? "application/octet-stream"),
            redirectURL: headers["Location"] ?? "",
            bodySize: body.count
        )
    }
}

extension HAR.Entry {
    /// The recorded response, as a stub's reply.
    var reply: StubReply {
        var headers = HTTPHeaders()
        // HTTP/2 has fields of its own that are no headers, and browsers export them among these.
        for field in response.headers where !field.name.hasPrefix(":") {
            // They export several cookies as one field.
            for value in field.value.split(separator: "\n", omittingEmptySubsequences: false) {
                headers.add(name: field.name, value: value.trimmingCharacters(in: .newlines))
            }
        }
        let version = response.httpVersion.uppercased()
        var reply = StubReply(statusCode: response.status, headers: headers, data: response.content.data ?? Data())
        reply.httpVersion = version.hasPrefix("HTTP/") ? version : nil
        return reply
    }
}
