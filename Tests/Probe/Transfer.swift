#if os(Linux)
import APIBaseKit
import HostileServer

/// Transfers one large body from or to a file, and measures the memory. The server is another process.
struct Transfer {
    let session: CurlSession
    let server: URL
    let file: URL

    /// Prints the bytes, the seconds and the increase of the peak memory, in KiB.
    ///
    /// The words: `down`, `up`, or `form` for a part of a form, where the server is, and the file that comes to be or
    /// is sent; perhaps how many seconds the reader takes for all, if not 0, and whom to trust.
    static func run(_ words: [String]) async throws {
        guard let server = URL(string: words[1]) else { return }
        let seconds = words.count > 3 ? Double(words[3]) ?? 0 : 0
        var configuration = CurlSession.Configuration()
        if words.count > 4 { configuration.certificateAuthorities = URL(fileURLWithPath: words[4]) }
        let session = CurlSession(configuration: configuration)
        let transfer = Transfer(session: session, server: server, file: URL(fileURLWithPath: words[2]))
        // Excludes one-time allocations from the measurement.
        for _ in 0..<3 { _ = try await transfer.tell(0) }
        let (before, clock) = (Resources.peakKiB, ContinuousClock())
        let start = clock.now
        let bytes =
            switch words[0] {
            case "up": try await transfer.upload(.file(transfer.file))
            case "form":
                try await transfer.upload(
                    .multipart([
                        MultipartPart(name: "file", content: .file(transfer.file)),
                        MultipartPart(name: "end", value: ""),
                    ])
                )
            default: try await transfer.download(seconds)
            }
        say("bytes: \(bytes)")
        say("seconds: \((clock.now - start) / .seconds(1))")
        say("peak: \(Resources.peakKiB - before)")
    }

    private func url(_ path: String) -> URL { server.appendingPathComponent(path) }

    /// Tells the server how much was read.
    private func tell(_ bytes: Int) async throws -> String {
        try await session.reply(to: ExchangeRequest(to: url("taken/\(bytes)"))).text
    }

    private func upload(_ body: HTTPBody) async throws -> Int {
        var sent = 0
        let request = ExchangeRequest(.put, to: url("up"), body: body)
        for try await event in session.events(for: request).values {
            if case .sent(let bytes, _) = event { sent = Int(bytes) }
        }
        return sent
    }

    /// `values` requests one event at a time, so unread data stays with the sender.
    private func download(_ seconds: Double) async throws -> Int {
        try Data().write(to: file)
        let writer = try FileHandle(forWritingTo: file)
        defer { try? writer.close() }
        let (clock, start) = (ContinuousClock(), ContinuousClock.now)
        var (written, length, told) = (0, 0.0, 0)
        let request = ExchangeRequest(to: url("down"), limits: .with { $0.responseBytes = .max })
        for try await event in session.events(for: request).values {
            if case .head(let head) = event { length = head.headers["Content-Length"].flatMap { Double($0) } ?? 0 }
            guard case .body(let data) = event else { continue }
            try writer.write(contentsOf: data)
            written += data.count
            guard seconds > 0 else { continue }
            try await clock.sleep(until: start + .seconds(seconds * Double(written) / length))
            if written - told > 10 << 20 {
                told = written
                _ = try await tell(written)
            }
        }
        return written
    }
}
#endif
