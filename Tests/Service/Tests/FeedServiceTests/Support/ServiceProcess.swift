#if os(Linux)
import APIBaseKit
import Foundation
import Testing
import Upstream

/// The service in a process of its own, as it would run anywhere.
final class ServiceProcess: Sendable {
    private let process = Process()
    private let ends: AsyncStream<Int32>
    let port: Int

    /// A session with as many connections as there are requests at a time.
    private let session: CurlSession = {
        var configuration = CurlSession.Configuration()
        configuration.connectionsPerHost = 32
        return CurlSession(configuration: configuration)
    }()

    /// Starts it, and waits until it listens.
    init(upstream: Int) async throws {
        let output = Pipe()
        let (ends, end) = AsyncStream.makeStream(of: Int32.self)
        self.ends = ends
        let folder = try #require(Bundle.main.executableURL?.deletingLastPathComponent())
        process.executableURL = folder.appendingPathComponent("serve")
        process.environment = Upstream.environment(port: upstream).merging(["PORT": "0", "LOG_LEVEL": "error"]) { $1 }
        process.standardOutput = output
        process.terminationHandler = { process in
            end.yield(process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus)
        }
        try process.run()
        port = try await withCheckedThrowingContinuation { started in
            DispatchQueue.global().async {
                let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                started.resume(with: Result { try #require(Int(line.filter(\.isNumber)), "\(line)") })
            }
        }
    }

    var id: Int32 { process.processIdentifier }

    /// Sends SIGTERM.
    func stop() { process.terminate() }

    /// The status with which it ends; a signal as a negative number.
    func end() async -> Int32? { await ends.first { _ in true } }

    /// The status of a request to it.
    func status(of path: String) async throws -> Int {
        let request = ServiceRequest()
        request.baseURL = URL(string: "http://127.0.0.1:\(port)")
        request.path = path
        request.session = session
        return try await request.value().response.statusCode
    }
}

private final class ServiceRequest: APIBase, APIRequest {
    func start() -> AnyPublisher<APIBase.DataResponseTuple, any Error> { sendRequest() }
}
#endif
