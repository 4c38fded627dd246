#if os(Linux)
import APIBaseKit
import Basics
import Foundation
import HostileServer
import LoopbackServer

/// Sends a body from a sequence, and prints the peak of the memory. The server is in the same process and keeps nothing.
enum EndlessBody {
    static func run(_ count: Int) async throws {
        let received = Locked(0)
        let server = try ScriptedServer { head, connection, _ in
            while received.withLock({ $0 }) < count {
                let bytes = try connection.read(atMost: 256 << 10)
                guard !bytes.isEmpty else { break }
                received.withLock { $0 += bytes.count }
            }
            return head
        } _: { _, connection, _ in
            try connection.write(reply(body: "done"))
        }
        let made = Locked(0)
        let call = JSONAPI(.put("/upload"))
        call.baseURL = server.url("")
        call.timeout = .seconds(600)
        call.content = .sequence(length: Int64(count)) {
            AsyncStream<Data> {
                let size = made.withLock { made in
                    let size = min(256 << 10, count - made)
                    made += size
                    return size
                }
                return size > 0 ? Data(repeating: 1, count: size) : nil
            }
        }
        let before = Resources.residentKiB
        let start = ContinuousClock.now
        for try await reply in call.sendStream().values { _ = reply }
        let time = ContinuousClock.now - start
        let sent = received.withLock { $0 }
        say("\(sent) bytes in \(time): \(before / 1_024) MiB before, \(Resources.peakKiB / 1_024) MiB at most")
        exit(sent == count ? 0 : 1)
    }
}
#endif
