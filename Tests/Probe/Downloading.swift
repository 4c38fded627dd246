#if os(Linux)
import APIBaseKit
import HostileServer

/// Downloads a file. Prints the number of bytes whenever it grows, at the end `whole` or the error, and the
/// peak of the memory in KiB.
enum Downloading {
    private final class FileRequest: APIBase {}

    /// The arguments: URL, file, and optionally `quiet`, or the maximum file size of this process in bytes.
    static func run(_ words: [String]) async throws {
        guard let url = URL(string: words[0]) else { return }
        let request = FileRequest()
        request.path = url.absoluteString
        var lines: AnyCancellable?
        if words.count > 2, let limit = UInt(words[2]) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        } else if words.count == 2 {
            lines = request.$downloadProgress.sink { if $0.received > 0 { say("\($0.received)") } }
        }
        do {
            for try await _ in request.download(to: URL(fileURLWithPath: words[1])).values { say("whole") }
        } catch {
            say("\((error as? DownloadFailure).map { "\($0.reason)" } ?? "\(error)")")
        }
        say("peak: \(Resources.peakKiB)")
        withExtendedLifetime(lines) {}
    }
}
#endif
