import APIBaseKit
import HostileServer
import LoopbackServer
import Testing

/// A server of one file that stops in the middle of it until it is told to go on.
final class PausedFile: Sendable {
    /// How many bytes it sends before it stops.
    static let beginning = 40_000

    private let proceed = DispatchSemaphore(value: 0)
    private let server: ScriptedServer

    init(count: Int) throws {
        server = try ScriptedServer { [proceed] _, connection, _ in
            try connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(count)\r\n\r\n")
            try connection.write(FileSample.bytes(0..<Self.beginning))
            proceed.wait()
            try connection.write(FileSample.bytes(Self.beginning..<count))
        }
    }

    var url: URL { server.url("/file") }
    var requests: [RawRequest] { server.requests }

    func goOn() { proceed.signal() }

    func stop() {
        goOn()
        server.stop()
    }
}

/// A download whose first bytes are in its partial file.
struct RunningDownload {
    private let outcome = Outcome<URL, any Error>()
    private let end = Later<Void>()
    private let subscription: AnyCancellable

    /// The server at `url` sends `count` bytes before it stops.
    init(from url: URL, to file: URL, count: Int = PausedFile.beginning) async throws {
        let call = Call(base: url.absoluteString)
        subscription = outcome.subscribe(to: call.download(to: file)) { [end] in end.set() }
        let partial = file.path + ".partial"
        #expect(
            try await holds {
                (try? FileManager.default.attributesOfItem(atPath: partial))?[.size] as? Int == count
            }
        )
    }

    func cancel() { subscription.cancel() }

    /// What it ends with.
    func failure() async throws -> (any Error)? {
        try await end.value()
        return outcome.failure
    }
}
