import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

extension HTTPClient {
    fileprivate convenience init(_ job: Job) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = job.connections
        configuration.httpVersion = job.isHTTP2 ? .automatic : .http1Only
        if let authorities = job.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities.path)
            configuration.tlsConfiguration = tls
        }
        self.init(eventLoopGroupProvider: .singleton, configuration: configuration)
    }
}

/// AsyncHTTPClient as its documentation begins.
struct AsyncClient: Client {
    let job: Job
    private let client: HTTPClient

    init(_ job: Job) {
        self.job = job
        client = HTTPClient(job)
    }

    func run(_ count: Int) async -> Int {
        await inLanes(job.concurrency) {
            var failures = 0
            for _ in 0..<count / job.concurrency where await !send() { failures += 1 }
            return failures
        }
    }

    private func send() async -> Bool {
        do {
            let request = HTTPClientRequest(url: job.url.absoluteString)
            let response = try await client.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: job.length)
            return response.status == .ok && body.readableBytes == job.length
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            return false
        }
    }

    func close() async { try? await client.shutdown() }
}

/// AsyncHTTPClient without Swift's concurrency.
struct FuturesClient: CallbackClient {
    let job: Job
    private let client: HTTPClient

    init(_ job: Job) {
        self.job = job
        client = HTTPClient(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        client.get(url: job.url.absoluteString, deadline: .now() + .seconds(60)).whenComplete { result in
            guard case .success(let response) = result else { return done(false) }
            done(response.status == .ok && response.body?.readableBytes == length)
        }
    }

    func close() async { try? await client.shutdown() }
}
