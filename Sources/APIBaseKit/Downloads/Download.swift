import Dispatch
import HTTPTransport

/// One subscription to a download: its calls, one after another.
final class Download {
    private let calls: StreamCalls
    private let file: DownloadedFile
    private let clock: any CallClock

    /// - Throws: ``DownloadFailure``.
    init(_ calls: StreamCalls, to target: URL, resuming: Bool) throws {
        self.calls = calls
        file = try DownloadedFile(target, resumes: resuming)
        clock = calls.makeClock()
    }

    /// Its calls, until the file is whole.
    var rounds: AnyPublisher<URL, any Error> {
        Rounds { self.round($0) }
            .handleEvents(receiveCompletion: { _ in self.file.close() }, receiveCancel: { self.file.close() })
            .eraseToAnyPublisher()
    }

    private func round(_ number: Int) -> AnyPublisher<URL, any Error>? {
        guard !file.isWhole else { return nil }
        guard let failures = file.failures else { return call() }
        return clock.pause(calls.api.retry.backoff.delay(after: failures))
            .map { _ -> URL in }
            .append(Deferred { self.call() })
            .eraseToAnyPublisher()
    }

    private func call() -> AnyPublisher<URL, any Error> {
        let file = file
        let overrides = CallOverrides(
            change: { try file.asked(by: $0) },
            accepts: { file.accepts($0) },
            offset: { file.offset }
        )
        return calls.call(overrides).flatMap { self.fill(with: $0) }.eraseToAnyPublisher()
    }

    /// Whether the policy allows another call where this one has broken off.
    private var mayGoOn: Bool {
        let retry = calls.api.retry
        return file.mayGoOn(atMost: retry.attempts) && retry.budget?.spend(at: clock) ?? true
    }

    /// Puts the body of a reply into the file; finishes without a value if another call is needed.
    private func fill(with reply: StreamedReply) -> AnyPublisher<URL, any Error> {
        let file = file
        do {
            guard try file.begins(with: reply.response) else { return Empty().eraseToAnyPublisher() }
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
        // To look at a large file takes seconds, which other calls on the thread that delivers need not wait for.
        let end = Just(file).receive(on: DispatchQueue(label: "APIBaseKit.download")).tryMap { try $0.finish() }
        return reply.body
            .tryMap { try file.write($0) }
            .ignoreOutput()
            .map { _ -> URL in }
            .append(end)
            .catch { error -> AnyPublisher<URL, any Error> in
                guard error.isTransient, self.mayGoOn else { return Fail(error: error).eraseToAnyPublisher() }
                return Empty().eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }
}
