import Foundation

/// 100 MB from the network to a file, and from a file to the network.
struct MemoryTable {
    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        print("| 100 MB over CurlSession | seconds | seconds at the server | additional peak memory, MiB |")
        print("|---|---:|---:|---:|")
        let target = server.folder.appendingPathComponent("target")
        let source = server.folder.appendingPathComponent("files/large")
        let download = Large(way: .download, url: server.plain.appendingPathComponent("large"), file: target)
        let fast = try measure("down to a file", download, on: server)
        var slow = download
        slow.pace = Double(fast.bytes) / fast.seconds / 10
        _ = try measure("the same, with a reader ten times slower", slow, on: server)
        let upload = Large(way: .upload, url: server.plain.appendingPathComponent("uploads/large"), file: source)
        _ = try measure("up from a file", upload, on: server)
    }

    private func measure(_ name: String, _ large: Large, on server: Nginx) throws -> Large.Finding {
        let finding: Large.Finding = try Copy.run("large", large)
        // The server writes its line when it is done, which may be a moment later.
        usleep(200_000)
        let memory = fixed(Double(finding.additionalBytes) / 1_048_576, 1)
        let atServer = server.lastLargeRequest.map { fixed($0, 2) } ?? "–"
        let whole = finding.bytes == Large.bytes ? "" : " (only \(finding.bytes) bytes)"
        print("| \(name)\(whole) | \(fixed(finding.seconds, 2)) | \(atServer) | \(memory) |")
        return finding
    }
}
