import Foundation

/// One gigabyte from the network to a file and back, beside the command `curl`, each time in a process of its own.
struct FilesTable {
    let options: Options

    private struct Finding {
        let seconds: Double
        let cpuSeconds: Double
    }

    func run() async throws {
        let server = try Nginx()
        defer { server.stop() }
        let files = server.folder.appendingPathComponent("files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let source = files.appendingPathComponent("gigabyte")
        try Data(repeating: 0x61, count: FileTransfer.bytes).write(to: source)
        var table = MarkdownTable(["1 GB over loopback", "MB/s", "speed ÷ `curl`'s", "CPU s", "CPU ÷ `curl`'s"])
        let target = server.folder.appendingPathComponent("target")
        let (from, to) = ("gigabyte", "uploads/gigabyte")
        let transfers = [
            FileTransfer(way: .download, url: server.plain.appendingPathComponent(from), file: target),
            FileTransfer(way: .upload, url: server.plain.appendingPathComponent(to), file: source),
        ]
        for transfer in transfers {
            let rounds = try await Rounds(options.rounds, jobs: 2) { job in
                let finding = try job == 0 ? throughKit(transfer) : throughCurl(transfer)
                try server.removeTransferred(expecting: FileTransfer.bytes)
                return finding
            }
            for (job, contender) in ["the kit", "`curl`"].enumerated() {
                let cells = [
                    rounds.sample(job) { Double(FileTransfer.bytes) / 1e6 / $0.seconds }.text(0),
                    rounds.ratio(1, to: job, \.seconds).text(2),
                    rounds.sample(job, \.cpuSeconds).text(2),
                    rounds.ratio(job, to: 1, \.cpuSeconds).text(2),
                ]
                table.add("\(transfer.way), \(contender)", cells)
            }
        }
        show(table)
    }

    private func throughKit(_ transfer: FileTransfer) throws -> Finding {
        let task = String(decoding: try JSONEncoder().encode(transfer), as: UTF8.self)
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return try measure(executable, ["file", task])
    }

    private func throughCurl(_ transfer: FileTransfer) throws -> Finding {
        try measure(Nginx.find("curl"), transfer.curl)
    }

    /// Runs a program to its end.
    private func measure(_ executable: URL, _ arguments: [String]) throws -> Finding {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        let (clock, cpu) = (ContinuousClock(), Usage.ofChildren)
        let start = clock.now
        try process.run()
        process.waitUntilExit()
        let seconds = (clock.now - start).inSeconds
        guard process.terminationStatus == 0 else { throw Copy.Problem.failed(status: process.terminationStatus) }
        return Finding(seconds: seconds, cpuSeconds: Usage.ofChildren - cpu)
    }
}

extension Nginx {
    /// Removes what a transfer has left, so that each begins alike.
    fileprivate func removeTransferred(expecting bytes: Int) throws {
        for name in ["target", "uploads/gigabyte"] {
            let url = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
            guard size == bytes else { throw CocoaError(.fileReadCorruptFile) }
            try FileManager.default.removeItem(at: url)
        }
    }
}
