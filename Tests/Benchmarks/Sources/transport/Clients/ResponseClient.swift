import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session's whole responses.
struct ResponseClient: CallbackClient {
    let job: Job
    let session: any HTTPSession

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        session.response(to: ExchangeRequest(URLRequest(url: job.url)))
            .subscribe(Reader({ $0.response.statusCode == 200 && $0.data.count == length }, done))
    }

    func close() async { await (session as? CurlSession)?.shutdown() }
}
