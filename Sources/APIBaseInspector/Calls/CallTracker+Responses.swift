import APIBaseKit
import APIBaseRecording
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The responses of a call, with their sizes and phases.

extension CallTracker {
    /// Records what is known at the end of an attempt: its redirects, its phases, and its response.
    mutating func record(_ timings: CallTimings, at now: Double, without redactor: inout ExchangeRedactor) {
        if timings.isStubbed { call.mark(.stub) }
        guard var request = timings.call.sent, call.attempts.last?.end == nil else { return }
        let sizes = timings.hopSizes
        if isSentAgain { setSizes(of: timings) }
        for (index, redirect) in (isSentAgain ? [] : timings.redirects).enumerated() {
            call.mark(.redirect)
            // Its time is not known.
            let size = sizes.indices.contains(index) ? sizes[index] : 0
            setEntry(exchange(request, redirect.head, size, at: sent ?? now), of: timings.call, without: &redactor)
            let target = redactor.text(redirect.next.url?.absoluteString ?? "")
            endAttempt(because: "\(redirect.head.statusCode), redirect to \(target)", at: sent ?? now)
            call.attempts.append(.init(number: timings.call.attempt, start: sent ?? now))
            request = redirect.next
        }
        addPhases(of: timings, at: now)
        if let (head, body) = timings.response {
            var exchange = exchange(request, head, sizes.last ?? 0, at: now)
            (exchange.body, exchange.isStream) = (body, body.isEmpty)
            (exchange.size, exchange.sentSize) = (max(body.count, exchange.size), Int(clamping: timings.bytesSent))
            setEntry(exchange, of: timings.call, without: &redactor)
        } else if let head {
            setEntry(exchange(request, head.head, at: now), of: timings.call, without: &redactor)
        }
    }

    /// Sets the sizes of the responses after which the attempt was sent again. If it has followed redirects as well, it
    /// is not known which size is whose.
    private mutating func setSizes(of timings: CallTimings) {
        let sent = call.attempts.indices.filter { call.attempts[$0].number == timings.call.attempt }
        guard sent.count == timings.hopSizes.count else { return }
        for (index, size) in zip(sent, timings.hopSizes).dropLast() {
            guard case .whole(var entry)? = call.attempts[index].exchange, size > 0 else { continue }
            entry.setSizeOnly(Int(clamping: size))
            call.attempts[index].exchange = .whole(entry)
        }
    }

    private mutating func addPhases(of timings: CallTimings, at now: Double) {
        var phases = [
            ("look-up", timings.nameLookup), ("connect", timings.connect), ("TLS", timings.tls),
            ("first byte", timings.firstByte), ("body", timings.transfer),
        ].compactMap { name, time in time.map { (name, $0.milliseconds) } }
        if isSentAgain, let sent, let head { phases = [("first byte", head.time - sent), ("body", now - head.time)] }
        var start = sent ?? now
        for (name, time) in phases {
            changeLast { $0.segments.append(.init(name: name, start: start, time: time)) }
            start += time
        }
    }

    func exchange(
        _ request: URLRequest,
        _ head: ResponseHead,
        _ size: Int64 = 0,
        at now: Double
    ) -> ObservedExchange {
        let sent = sent ?? now
        return ObservedExchange(
            request: request,
            head: head,
            size: Int(clamping: size),
            started: date(at: sent),
            wait: .seconds(min(now, self.head?.time ?? now) - sent) / 1_000,
            time: .seconds(now - sent) / 1_000
        )
    }

    mutating func setEntry(
        _ exchange: ObservedExchange,
        of info: CallEvent.Info,
        without redactor: inout ExchangeRedactor
    ) {
        let entry = redactor.entry(exchange, secretHeaders: info.secretHeaders)
        changeLast { $0.exchange = .whole(entry) }
    }
}
