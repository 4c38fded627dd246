import APIBaseKit
import Basics
import HostileServer

/// A folder for one test, with the file that a download is to become. It is gone with the test.
final class DownloadFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString)")
    let file: URL

    init() {
        file = url.appendingPathComponent("file")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var partial: URL { url.appendingPathComponent("file.partial") }
    var info: URL { url.appendingPathComponent("file.partial-info") }

    /// What lies in it.
    var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: url.path)) }
    }

    /// How a download ends.
    func download(
        from server: FileServer,
        resuming: Bool = true,
        _ change: (Call) -> Void = { _ in }
    ) async throws -> DownloadOutcome {
        let call = Call(base: server.url.absoluteString)
        call.session = EverySession.current
        change(call)
        return try await DownloadOutcome(of: call, to: file, resuming: resuming)
    }
}

/// How a download has ended, and its progress.
struct DownloadOutcome {
    let isWhole: Bool
    let error: (any Error)?
    let progress: [(received: Int64, expected: Int64)]

    var reason: DownloadFailure.Reason? { (error as? DownloadFailure)?.reason }

    init(of call: APIBase, to file: URL, resuming: Bool = true) async throws {
        let progress = Locked<[(received: Int64, expected: Int64)]>([])
        let line = call.$downloadProgress.sink { state in progress.withLock { $0.append(state) } }
        defer { line.cancel() }
        let outcome = try await finalOutcome(of: call.download(to: file, resuming: resuming))
        isWhole = outcome.values == [file] && outcome.isFinished
        error = outcome.failure
        self.progress = progress.withLock { $0 }
    }
}
