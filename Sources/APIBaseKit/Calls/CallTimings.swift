import HTTPTransport

/// The time that a call has taken, split by phase.
///
/// The phases are those of the last attempt, all its redirects together. One is `nil` where it did not happen (no look-up on a
/// connection that was there already), in an exchange that was given up, and where the session cannot know: `URLSession` on Linux
/// does not tell of names, connections and TLS.
public struct CallTimings: Sendable {
    /// The call, with the number of its last attempt.
    public let call: CallInfo
    /// The status of the reply; `nil` if none came.
    public let statusCode: Int?
    /// Why the call, or the attempt that another one follows, has brought no whole reply; `nil` if it has, whatever the status.
    public let error: (any Error)?
    /// From the start of the call to now: all attempts, and all waits.
    public let whole: Duration
    /// Looking up the address of the host.
    public let nameLookup: Duration?
    /// Making the connection, without TLS.
    public let connect: Duration?
    /// The handshake of TLS.
    public let tls: Duration?
    /// From the connection to the head of the reply: sending, and waiting for the server.
    public let firstByte: Duration?
    /// From the head to the last byte of the reply.
    public let transfer: Duration?
    /// Whether the connection had been used before.
    public let isConnectionReused: Bool?
    /// Bytes of bodies that were sent.
    public let bytesSent: Int64
    /// Bytes of bodies that were received, after decompression.
    public let bytesReceived: Int64
    /// Why the call was not tried again although it failed and has a ``APIBase/retry``; `nil` otherwise.
    public let retryRefusal: RetryRefusal?

    /// The reply, for logs that show bodies.
    let reply: CallReply?

    init(call: CallInfo, whole: Duration, report: CallState.Report) {
        self.call = call
        self.whole = whole
        (reply, error) = (report.reply, report.error)
        statusCode = report.reply?.head.statusCode
        nameLookup = report.times.nameLookup
        connect = report.times.connect
        tls = report.times.tls
        firstByte = report.times.firstByte
        transfer = report.times.transfer
        isConnectionReused = report.times.isReused
        bytesSent = report.times.sent
        bytesReceived = report.times.received
        retryRefusal = report.refusal
    }
}

extension CallTimings: CustomStringConvertible, CustomReflectable {
    /// The phases in milliseconds: `123 ms (look-up 1, connect 2, TLS 20, first byte 90, transfer 10)`.
    public var description: String {
        let phases = [
            ("look-up", nameLookup), ("connect", connect), ("TLS", tls), ("first byte", firstByte),
            ("transfer", transfer),
        ]
        let parts = phases.compactMap { name, time in time.map { "\(name) \($0.inMilliseconds)" } }
        return "\(whole.inMilliseconds) ms" + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    /// The times: `dump` shows nothing of the reply but its status.
    public var customMirror: Mirror {
        Mirror(self, children: ["call": call, "statusCode": statusCode as Any, "times": description])
    }
}

extension Duration {
    /// Rounded, for people.
    fileprivate var inMilliseconds: Int64 { Int64(min(inSeconds * 1_000, 1e18).rounded()) }
}
