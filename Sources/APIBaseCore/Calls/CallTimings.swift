import Basics
package import HTTPTransport

/// The duration of a call and its phases.
///
/// The phases are those of the last attempt, including its redirects. A phase is `nil` if it did not happen, as on a
/// reused connection, if the attempt was given up, or if the session cannot measure it: `URLSession` on Linux does not
/// report look-ups, connections and TLS.
public struct CallTimings: Sendable {
    /// The call, with the number of its last attempt.
    public let call: CallEvent.Info
    /// The status of the response, or `nil`.
    public let statusCode: Int?
    /// The error of the call, or of an attempt before the last; `nil` if there is a complete response, whatever its
    /// status.
    public let error: (any Error)?
    /// The time since the start of the call, with all attempts and waits.
    public let whole: Duration
    /// The wait at the ``APIBase/gate``; `nil` without one.
    public let gate: Duration?
    /// The wait for the credentials of ``APIBase/authorization``, as for a new token; `nil` if they were there, and if
    /// they need none.
    public let credentials: Duration?
    /// The use of a stored response of the ``APIBase/cache``; `nil` if it did not answer.
    public let cacheOutcome: CacheOutcome?
    /// The look-up of the host's address.
    public let nameLookup: Duration?
    /// The connection, without TLS.
    public let connect: Duration?
    /// The TLS handshake.
    public let tls: Duration?
    /// From the connection to the head of the response: sending, and waiting for the server.
    public let firstByte: Duration?
    /// From the head to the last byte of the response.
    public let transfer: Duration?
    /// From the start of the call, with all attempts and waits, to the first event of
    /// ``APIBase/replyEvents(endMark:)``; `nil` for other calls.
    public let firstEvent: Duration?
    /// Whether the connection had been used before.
    public let isConnectionReused: Bool?
    /// The connection of the last request: the versions of HTTP and TLS, the address, and the end of the server's
    /// certificate. `nil` if the last attempt got no connection, under stubs, and with `URLSession` on Linux.
    public let connection: ConnectionInfo?
    /// The body bytes that were sent.
    public let bytesSent: Int64
    /// The body bytes that were received, after decompression.
    public let bytesReceived: Int64
    /// Why a failed call was not tried again; `nil` if it did not fail, or has no ``APIBase/retry``.
    public let retryStopReason: RetryPolicy.StopReason?

    /// The response, for logs that show bodies.
    package let reply: CallResponse?
    /// The redirects that the attempt followed.
    package let redirects: [FollowedRedirect]
    /// The body bytes that each hop of the attempt has received: a redirect, and a request that is sent again, are
    /// further hops.
    package var hopSizes: [Int64] { times.hopSizes }
    private let times: CallTimes
    /// Whether a stub or a recording answered.
    package let isStubbed: Bool

    init(call: CallEvent.Info, whole: Duration, isStubbed: Bool, report: CallState.Report) {
        self.call = call
        self.whole = whole
        (reply, error, redirects) = (report.reply, report.error, report.redirects)
        self.isStubbed = isStubbed
        statusCode = report.reply?.head.statusCode
        (gate, credentials, cacheOutcome) = (report.gate, report.credentials, report.cacheOutcome)
        times = report.times
        (nameLookup, connect, tls) = (times.nameLookup, times.connect, times.tls)
        (firstByte, transfer, firstEvent) = (times.firstByte, times.transfer, times.firstEvent)
        (isConnectionReused, connection) = (times.isReused, times.connection)
        (bytesSent, bytesReceived) = (times.sent, times.received)
        retryStopReason = report.stopReason
    }
}

extension CallTimings {
    /// The head and the bytes of the response; `nil` without one, and no bytes for a stream.
    package var response: (head: ResponseHead, data: Data)? { reply.map { ($0.head, $0.data) } }

    /// A redirect: its head, and the request that followed.
    package struct FollowedRedirect: Sendable {
        package let head: ResponseHead
        package let next: URLRequest
    }
}

extension CallTimings: CustomStringConvertible, CustomReflectable {
    /// The phases in milliseconds: `123 ms (look-up 1, connect 2, TLS 20, first byte 90, transfer 10)`. Before them are
    /// the waits that took at least one: `gate 12, credentials 117`.
    public var description: String {
        let waits = [("gate", gate), ("credentials", credentials)].filter { ($0.1 ?? .zero) >= .milliseconds(1) }
        let phases =
            waits + [
                ("look-up", nameLookup), ("connect", connect), ("TLS", tls), ("first byte", firstByte),
                ("transfer", transfer), ("first event after", firstEvent),
            ]
        let parts = phases.compactMap { name, time in time.map { "\(name) \($0.inMilliseconds)" } }
        return "\(whole.inMilliseconds) ms" + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    /// The times: of the response, `dump` shows only the status.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "statusCode": statusCode as Any, "times": description])
    }
}

extension Duration {
    fileprivate var inMilliseconds: Int64 { Int64(min(inSeconds * 1_000, 1e18).rounded()) }
}

/// The durations and byte counts of an attempt: the sums over its hops. A hop is one request on the wire; a redirect
/// starts the next.
struct CallTimes {
    var nameLookup: Duration?
    var connect: Duration?
    var tls: Duration?
    var firstByte: Duration?
    var transfer: Duration?
    var firstEvent: Duration?
    var isReused: Bool?
    /// The connection of the last hop.
    var connection: ConnectionInfo?
    var sent: Int64 = 0
    /// The body bytes that each hop has received.
    var hopSizes: [Int64] { earlierSizes + (lastSize.map { [$0] } ?? []) }
    var received: Int64 { earlierSizes.reduce(lastSize ?? 0, +) }
    /// The last apart, so that a call without redirects has no array.
    private var earlierSizes: [Int64] = [], lastSize: Int64?

    /// Adds a hop without times.
    mutating func addHop(receiving count: Int64) {
        if let lastSize { earlierSizes.append(lastSize) }
        lastSize = count
    }

    mutating func add(_ hop: HopReport) {
        sent += hop.sentBytes
        addHop(receiving: hop.receivedBytes)
        let times = hop.times
        isReused = times?.isReused ?? isReused
        connection = times?.connection
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
