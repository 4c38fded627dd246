import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `CurlSession`, event by event.
struct CurlEventsClient: CallbackClient {
    let job: Job
    private let session: CurlSession

    init(_ job: Job) {
        self.job = job
        session = CurlSession(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        var status = 0
        var received = 0
        let reader = Reader<ExchangeRequest.Event, TransportError>(
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
