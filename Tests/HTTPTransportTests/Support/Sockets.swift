#if os(Linux)
import Foundation

/// The number of sockets of this process that are connected with the port.
func sockets(to port: UInt16) -> Int { localAddresses(to: port).count }

/// Their own addresses.
func localAddresses(to port: UInt16) -> [String] {
    // The connection's own end is the one whose remote port it is (proc(5), /proc/net/tcp: local, remote, state).
    let file = FileHandle(forReadingAtPath: "/proc/self/net/tcp")
    defer { try? file?.close() }
    let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
    let wanted = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
    let lines = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        .filter { $0.count > 9 && $0[2].hasSuffix(wanted) }
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = Set(
        open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
    )
    // The table is read in pieces, and a row that moves meanwhile is in two of them.
    var inodes: Set<Substring> = []
    return lines.filter { targets.contains("socket:[\($0[9])]") && inodes.insert($0[9]).inserted }.map { line in
        // The bytes of the address are a number of this machine.
        let number = line[1].split(separator: ":").first.flatMap { UInt32($0, radix: 16) } ?? 0
        return withUnsafeBytes(of: number) { $0.map { "\($0)" }.joined(separator: ".") }
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
#endif
