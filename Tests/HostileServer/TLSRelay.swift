#if os(Linux)
import Basics
import LoopbackServer
package import Dispatch

/// Relays bytes between clients and a TLS server, and can end the connection instead of sending the server's alert.
/// Without `close_notify` (RFC 8446, section 6.1), that looks like a cut connection.
package final class TLSRelay: Sendable {
    private let listener: SocketListener

    /// Relays to the server at `port`. With `dropsAlerts`, the connection ends instead of the first alert, and with
    /// `resetsAtAlert` it is reset there. `beforeAlert` is called before an alert is relayed. The first bytes of the
    /// server wait for `delay`. A client that sends more than `patience` bytes gets a reset.
    package init(
        to port: UInt16,
        dropsAlerts: Bool = false,
        resetsAtAlert: Bool = false,
        delay: DispatchTimeInterval? = nil,
        patience: Int = .max,
        beforeAlert: @escaping @Sendable () -> Void = {}
    ) throws {
        listener = try SocketListener(host: "127.0.0.1") { client in
            guard let server = try? SocketConnection(connectingTo: port) else { return }
            let upward = DispatchGroup()
            DispatchQueue(label: "relay").async(group: upward) {
                var left = patience
                while let bytes = try? client.read(before: .now + .seconds(600)), !bytes.isEmpty {
                    left -= bytes.count
                    guard left >= 0 else {
                        client.reset()
                        return server.close()
                    }
                    guard (try? server.write(bytes)) != nil else { break }
                }
                server.finishWriting()
            }
            var records = Records()
            var isFirst = true
            while let bytes = try? server.read(before: .now + .seconds(600)), !bytes.isEmpty {
                if isFirst, let delay { Scene.pass(delay) }
                isFirst = false
                records.append(bytes)
                while let record = records.takeFirst() {
                    // Now the server waits for the client's alert.
                    if dropsAlerts, record.isAlert { return client.close() }
                    if resetsAtAlert, record.isAlert { return client.reset() }
                    if record.isAlert { beforeAlert() }
                    try? client.write(record)
                }
            }
            client.finishWriting()
            upward.wait()
        }
    }

    package var port: UInt16 { listener.port }

    package func stop() { listener.stop() }

    /// Bytes in TLS records: a header of five bytes, of which the last two are the length (RFC 8446, section 5.1).
    private struct Records {
        private var bytes: [UInt8] = []

        mutating func append(_ more: [UInt8]) { bytes += more }

        /// The first record, if it is complete.
        mutating func takeFirst() -> [UInt8]? {
            guard bytes.count >= 5 else { return nil }
            let end = 5 + Int(bytes[3]) << 8 + Int(bytes[4])
            guard end <= bytes.count else { return nil }
            defer { bytes.removeFirst(end) }
            return Array(bytes[..<end])
        }
    }
}

extension [UInt8] {
    /// Whether the record is an alert: by its type up to TLS 1.2, later by its length, which no other record has.
    fileprivate var isAlert: Bool { self[0] == 21 || self[0] == 23 && count == 5 + 2 + 1 + 16 }
}
#endif
