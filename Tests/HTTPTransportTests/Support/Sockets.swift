#if os(Linux)
import Foundation

/// The number of sockets of this process that are connected with the port.
func sockets(to port: UInt16) -> Int {
    // The connection's own end is the one whose remote port it is (proc(5), /proc/net/tcp: local, remote, state).
    let file = FileHandle(forReadingAtPath: "/proc/self/net/tcp")
    defer { try? file?.close() }
    let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
    let wanted = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
    let inodes = table.split(separator: "\n").dropFirst().compactMap { line -> Substring? in
        let columns = line.split(separator: " ")
        return columns.count > 9 && columns[2].hasSuffix(wanted) ? columns[9] : nil
    }
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = Set(
        open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    )
    return inodes.filter { targets.contains("socket:[\($0)]") }.count
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
#endif
