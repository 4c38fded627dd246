#if os(Linux)
import Basics
import DemoServer
package import Dispatch

/// Passes bytes between clients and a TLS server, and can end the connection where the server sends an alert: without
/// the one that says that it ends (`close_notify`, RFC 8446, section 6.1), that is what a cut connection looks like.
package final class TLSRelay: Sendable {
    private let listener: SocketListener

    /// Passes bytes on to the server at `port`; with `dropsAlerts`, the connection ends in place of its first alert,
    /// and with `resetsAtAlert` it is reset there, whatever the client is sending. `beforeAlert` is called before one
    /// is passed on. The server's first word waits for `delay`. A client that has sent more than `patience` bytes has
    /// its connection reset.
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
                while let bytes = try? client.read(before: .now + .seconds(20)), !bytes.isEmpty {
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
            while let bytes = try? server.read(before: .now + .seconds(20)), !bytes.isEmpty {
                if isFirst, let delay { Scene.pass(delay) }
                isFirst = false
                records.append(bytes)
                while let record = records.takeFirst() {
                    // The server waits for the client's alert now.
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

    /// Bytes that come as records: a header of five bytes, the last two of which are the length (RFC 8446, section
    /// 5.1).
    private struct Records {
        private var bytes: [UInt8] = []

        mutating func append(_ more: [UInt8]) { bytes += more }

        /// The first record, once all of it is here.
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
    /// Whether this record is an alert: by its type up to TLS 1.2, later by its length, which no other record has.
    fileprivate var isAlert: Bool { self[0] == 21 || self[0] == 23 && count == 5 + 2 + 1 + 16 }
}
#endif
