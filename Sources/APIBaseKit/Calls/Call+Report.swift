import Basics
import HTTPTransport

extension Call: ExchangeCaller {
    var type: any AnyObject.Type { Swift.type(of: api) }

    var coders: (decoder: JSONDecoder, encoder: JSONEncoder)? { (api as? JSONAPI).map { ($0.decoder, $0.encoder) } }

    var standing: CallStanding { state.withLock { $0.standing } }

    var baseURL: URL? { context.run { inScope { api.effectiveBaseURL } } }

    func inContext(_ body: () -> Void) { inAttempt(body) }

    func refusal(of request: ExchangeRequest) -> (any Error)? {
        substitute == nil ? SessionScopes.outside.withLock { $0 }?.problem(request) : nil
    }

    func hopEnded(_ report: HopReport) { state.withLock { $0.report.times.add(report) } }
}

extension Call {
    /// The times of the call so far, with those of its last attempt.
    func timings(of report: CallState.Report) -> CallTimings {
        CallTimings(
            call: CallInfo(id: id, attempt: report.attempt, api: api, request: report.request),
            whole: elapsed,
            report: report
        )
    }

    /// Reports what happens before the end, unless that has been reported.
    func tell(of request: URLRequest?, _ event: (CallInfo) -> CallEvent) {
        guard let attempt = state.withLock({ $0.isOver || $0.isReported ? nil : $0.report.attempt }) else { return }
        api.report(event(CallInfo(id: id, attempt: attempt, api: api, request: request)))
    }

    /// Reports that the call has brought no reply.
    func reportFailure(_ error: any Error, _ report: CallState.Report) {
        var report = report
        report.error = error
        api.report(.failed(error, timings(of: report)))
    }

    /// Reports that the call goes on with another token.
    func reportRefresh() { tell(of: state.withLock { $0.report.request }) { .refreshed($0) } }
}

/// The times of one attempt's exchanges: all its hops together.
struct CallTimes {
    var nameLookup: Duration?
    var connect: Duration?
    var tls: Duration?
    var firstByte: Duration?
    var transfer: Duration?
    var isReused: Bool?
    var sent: Int64 = 0
    var received: Int64 = 0

    mutating func add(_ hop: HopReport) {
        sent += hop.sentBytes
        received += hop.receivedBytes
        let times = hop.times
        isReused = times?.isReused ?? isReused
        add(times?.nameLookup, to: \.nameLookup)
        add(times?.connect, to: \.connect)
        add(times?.tls, to: \.tls)
        guard let began = hop.began else { return }
        let connection = (times?.nameLookup ?? .zero) + (times?.connect ?? .zero) + (times?.tls ?? .zero)
        let head = hop.head.map { Duration.nanoseconds(Int64($0 - began)) }
        add(times?.firstByte ?? head.map { max(.zero, $0 - connection) }, to: \.firstByte)
        add(times?.body ?? hop.head.map { .nanoseconds(Int64(hop.ended - $0)) }, to: \.transfer)
    }

    private mutating func add(_ time: Duration?, to part: WritableKeyPath<CallTimes, Duration?>) {
        if let time { self[keyPath: part] = (self[keyPath: part] ?? .zero) + time }
    }
}
