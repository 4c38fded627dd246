import APIBaseKit
import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What one copy of this process does: 100 MB in one direction, and how much memory that takes.
struct Large: Sendable, Codable {
    enum Way: String, Sendable, Codable { case download, upload }

    struct Finding: Sendable, Codable {
        let bytes: Int
        let seconds: Double
        /// How far the peak of the memory has risen, in bytes.
        let additionalBytes: Int
    }

    static let bytes = 100_000_000

    let way: Way
    let url: URL
    let file: URL
    /// Bytes that the reader takes in a second; nil for all there are.
    var pace: Double?

    func run() async throws -> Finding {
        let session = CurlSession()
        // What is made only once is not what is measured.
        for try await _ in session.response(to: ExchangeRequest(URLRequest(url: try warmUpURL))).values {}
        let before = Usage.now.peakBytes
        let clock = ContinuousClock()
        let start = clock.now
        let bytes = way == .upload ? try await upload(on: session) : try await download(on: session)
        let seconds = (clock.now - start).inSeconds
        let after = Usage.now.peakBytes
        await session.shutdown()
        return Finding(
            bytes: bytes,
            seconds: seconds,
            additionalBytes: after - before
        )
    }

    private var warmUpURL: URL {
        get throws { try URL(checking: "http://\(url.host ?? ""):\(url.port ?? 80)/users") }
    }

    private func upload(on session: CurlSession) async throws -> Int {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        var sent = 0
        for try await event in session.events(for: ExchangeRequest(request, body: .file(file))).values {
            if case .sent(let bytes, _) = event { sent = Int(bytes) }
        }
        return sent
    }

    /// `values` asks for one event at a time, so what is not taken stays with the sender.
    private func download(on session: CurlSession) async throws -> Int {
        try Data().write(to: file)
        let writer = try FileHandle(forWritingTo: file)
        defer { try? writer.close() }
        var request = ExchangeRequest(URLRequest(url: url))
        request.limits.responseBytes = Self.bytes
        var written = 0
        for try await event in session.events(for: request).values {
            guard case .body(let data) = event else { continue }
            try writer.write(contentsOf: data)
            written += data.count
            if let pace { try await Task.sleep(for: .seconds(Double(data.count) / pace)) }
        }
        return written
    }
}
