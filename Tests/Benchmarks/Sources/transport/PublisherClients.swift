import APIBaseKit
import Foundation
import HTTPTransport
import JSONPlaceholder

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes everything, and says at the end whether it was right.
private final class Reader<Input, Failure: Error>: Subscriber {
    private var subscription: (any Subscription)?
    private var isRight = false
    private let check: (Input) -> Bool
    private let done: (Bool) -> Void

    /// - Parameters:
    ///   - check: Called with each value; what it says of the last one counts.
    ///   - done: Called at the end.
    init(_ check: @escaping (Input) -> Bool, _ done: @escaping (Bool) -> Void) {
        self.check = check
        self.done = done
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        isRight = check(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        subscription = nil
        if case .failure(let error) = completion {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return done(false)
        }
        done(isRight)
    }
}

extension CurlSession.Configuration {
    fileprivate init(_ job: Job) {
        self.init()
        // As many as AsyncHTTPClient has event loops, with as many connections together.
        threads = min(ProcessInfo.processInfo.activeProcessorCount, job.connections)
        connectionsPerHost = job.connections / threads
        connections = max(connections, job.connections)
        certificateAuthorities = job.authorities
        httpVersion = job.isHTTP2 ? .automatic : .http1
    }
}

struct CurlEventsClient: CallbackClient {
    let job: Job
    private let session: CurlSession

    init(_ job: Job) {
        self.job = job
        session = CurlSession(configuration: .init(job))
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        var status = 0
        var received = 0
        let reader = Reader<ExchangeEvent, TransportError>(
            { event in
                switch event {
                case .sent: break
                case .head(let head): status = head.statusCode
                case .body(let data): received += data.count
                }
                return status == 200 && received == length
            },
            done
        )
        session.events(for: ExchangeRequest(URLRequest(url: job.url))).subscribe(reader)
    }

    func close() async { await session.shutdown() }
}

struct CurlResponseClient: CallbackClient {
    let job: Job
    private let session: CurlSession

    init(_ job: Job) {
        self.job = job
        session = CurlSession(configuration: .init(job))
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        session.response(to: ExchangeRequest(URLRequest(url: job.url)))
            .subscribe(Reader({ $0.response.statusCode == 200 && $0.data.count == length }, done))
    }

    func close() async { await session.shutdown() }
}

struct KitClient: CallbackClient {
    let job: Job
    private let base: URL
    private let path: String
    private let session: CurlSession

    init(_ job: Job) {
        self.job = job
        base = job.url.deletingLastPathComponent()
        path = "/" + job.url.lastPathComponent
        session = CurlSession(configuration: .init(job))
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        let request = UsersRequest()
        request.baseURL = base
        request.path = path
        request.session = session
        request.sendRequest().map(\.data).subscribe(Reader({ $0.count == length }, done))
    }

    func close() async { await session.shutdown() }
}

struct DecodingClient: CallbackClient {
    let job: Job
    private let base: URL
    private let session: CurlSession

    init(_ job: Job) {
        self.job = job
        base = job.url.deletingLastPathComponent()
        session = CurlSession(configuration: .init(job))
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let request = UsersRequest()
        request.baseURL = base
        request.session = session
        request.start().subscribe(Reader({ $0.count == 10 }, done))
    }

    func close() async { await session.shutdown() }
}

struct URLSessionClient: CallbackClient {
    let job: Job
    private let session: URLSession

    init(_ job: Job) {
        self.job = job
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = job.connections
        session = URLSession(configuration: configuration)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        session.response(to: ExchangeRequest(URLRequest(url: job.url)))
            .subscribe(Reader({ $0.response.statusCode == 200 && $0.data.count == length }, done))
    }

    func close() async {}
}
