import Dispatch
import HTTPTransport

extension APIBase {
    /// Downloads the response to the call into a file.
    ///
    /// In `async` code, await ``downloaded(to:resuming:)``.
    ///
    /// The bytes are written to `<name>.partial` beside the file. When all of them are there, that replaces the file,
    /// which stays as it was until then. If a download ends early, another one resumes it, also in another process, if
    /// the server identifies the version of the file by a strong `ETag` or an old enough `Last-Modified` (RFC 9110,
    /// sections 13.1.5 and 14). If the file has changed on the server, or for another URL or another method than `GET`,
    /// it starts anew. The data for resuming is in `<name>.partial-info`, without secrets.
    ///
    /// A partial file is resumed only if it is still the file that was left, belongs to this user, and cannot be
    /// written by others. Otherwise the download fails, or starts anew if it is another file. A file that no download
    /// has left is never taken for a partial file, and a partial file of another download never for the target: a
    /// ``DownloadFailure`` names the obstacle.
    ///
    /// The call is like that of ``sendStream()``, with the same limits: by default none on time and bytes. With a
    /// ``retry``, a body that breaks off is resumed, or downloaded anew, after the policy's waits, until the policy's
    /// number of attempts in a row has brought no new bytes; only with idempotent methods (RFC 9110, section 9.2.2).
    /// ``downloadProgress`` includes the bytes that were there before, and falls only if the server makes the download
    /// start anew. A download of any size takes the memory of a few chunks.
    ///
    /// Each part is a call of its own, with its own events and timings. Its ``RetryPolicy/deadline`` ends with the head
    /// of its response. The call of a part that breaks off ends with ``CallEvent/failed(_:_:)``, so logs and metrics
    /// count a failed call, although the download goes on.
    ///
    /// - Parameters:
    ///   - file: The target. Its folder must exist. If it is a symbolic link, the target of the link is replaced. A
    ///     folder, a device or a pipe is never replaced.
    ///   - resuming: Whether to resume a partial file, and to leave one. If not, only a complete file stays.
    /// - Returns: A publisher of the file's URL. It fails with ``DownloadFailure`` for problems with files, lengths or
    ///   digests (RFC 9530, SHA-256), and with the errors of ``sendStream()``. Canceling it keeps the partial file.
    public func download(to file: URL, resuming: Bool = true) -> AnyPublisher<URL, any Error> {
        download(to: file, resuming: resuming, naming: nil)
    }

    private func download(
        to file: URL,
        resuming: Bool,
        naming: DownloadedFile.Naming?
    ) -> AnyPublisher<URL, any Error> {
        StreamCalls(of: self).deliver { calls in
            Deferred { () -> AnyPublisher<URL, any Error> in
                do {
                    return try Download(calls, to: file, resuming: resuming, naming: naming).publisher
                } catch {
                    return Fail(error: error).eraseToAnyPublisher()
                }
            }
            .eraseToAnyPublisher()
        }
    }
}

extension APIBase {
    /// Downloads the response to the call into a file, as ``download(to:resuming:)`` does.
    ///
    /// - Returns: The URL of the file.
    /// - Throws: The errors of ``download(to:resuming:)``, and `CancellationError` if the task is canceled; the partial
    ///   file stays then, if `resuming` is true.
    nonisolated(nonsending) public func downloaded(to file: URL, resuming: Bool = true) async throws -> URL {
        try Task.checkCancellation()
        return try await download(to: file, resuming: resuming).firstValue()
    }

    /// Downloads into a file of the same folder whose name depends on the response. The partial file is named after
    /// `file`, so that the download can be resumed.
    ///
    /// - Parameters:
    ///   - file: The target unless `naming` gives another one.
    ///   - naming: Gives the file, which is replaced, for the last response. It is called when the file is complete.
    /// - Returns: The URL of the file.
    /// - Throws: The errors of ``downloaded(to:resuming:)``.
    nonisolated(nonsending) package func downloaded(
        to file: URL,
        naming: @escaping @Sendable (HTTPURLResponse) -> URL
    ) async throws -> URL {
        try Task.checkCancellation()
        return try await download(to: file, resuming: true, naming: naming).firstValue()
    }
}

/// One subscription to a download: its calls, one after another.
private final class Download {
    private let calls: StreamCalls
    private let file: DownloadedFile
    private let clock: any CallClock

    /// - Throws: ``DownloadFailure``.
    init(_ calls: StreamCalls, to target: URL, resuming: Bool, naming: DownloadedFile.Naming?) throws {
        self.calls = calls
        file = try DownloadedFile(target, resumes: resuming, naming: naming)
        clock = calls.makeClock()
    }

    /// The calls, until the file is complete.
    var publisher: AnyPublisher<URL, any Error> {
        RepeatingPublisher(in: CancelableSeries(of: self.calls.api, in: self.calls.scope)) { _ in self.next() }
            .handleEvents(receiveCompletion: { _ in self.file.close() }, receiveCancel: { self.file.close() })
            .eraseToAnyPublisher()
    }

    private func next() -> AnyPublisher<URL, any Error>? {
        guard !file.isComplete else { return nil }
        guard let failures = file.failures else { return call() }
        return calls.pause(calls.api.retry.backoff.delay(after: failures), on: clock)
            .map { _ -> URL in }
            .append(Deferred { self.call() })
            .eraseToAnyPublisher()
    }

    private func call() -> AnyPublisher<URL, any Error> {
        calls.call(DownloadVariant(file: file)).continued { self.fill(with: $0) }.eraseToAnyPublisher()
    }

    /// True if the policy allows to resume after a body has broken off.
    private var canResume: Bool {
        let retry = calls.api.retry
        let attempts = retry.attemptsAfter[.connection] ?? retry.attempts
        return file.canResume(atMost: attempts) && retry.budget?.spend(at: clock) ?? true
    }

    /// Writes the body of a response to the file. Finishes without a value if another call is needed.
    private func fill(with reply: StreamedReply) -> AnyPublisher<URL, any Error> {
        let file = file
        do {
            guard try file.prepare(for: reply.response, to: reply.secrets) else {
                return Empty().eraseToAnyPublisher()
            }
        } catch {
            return Fail(error: error).eraseToAnyPublisher()
        }
        // The digest of a large file takes seconds, and must not block other calls on the delivering thread.
        let end = Just(file).receive(on: DispatchQueue(label: "APIBaseKit.download")).tryMap { try $0.finish() }
        return reply.body
            .tryMap { try file.write($0) }
            .ignoreOutput()
            .map { _ -> URL in }
            .append(end)
            .catch { error -> AnyPublisher<URL, any Error> in
                guard error.isTransient, self.canResume else { return Fail(error: error).eraseToAnyPublisher() }
                return Empty().eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }
}

/// Calls that continue a partial file.
private struct DownloadVariant: CallVariant {
    let file: DownloadedFile

    func request(_ build: () throws -> URLRequest) throws -> URLRequest { try file.rangeRequest(from: build()) }

    func accepts(_ response: HTTPURLResponse, byDefault isAccepted: Bool) -> Bool {
        isAccepted || file.accepts(response)
    }

    /// The body of a failure, such as a 503, is no part of the file.
    func count(_ progress: ExchangeRequest.Progress, for reporter: ProgressReporter?) {
        if case .received = progress, !file.isReceiving { return }
        reporter?.count(progress.moved(by: file.offset))
    }

    var continuesProgress: Bool { file.hasBegun }
}

extension ExchangeRequest.Progress {
    /// The progress with an offset: the number of bytes that were there before.
    fileprivate func moved(by offset: Int64) -> ExchangeRequest.Progress {
        guard case .received(let bytes, let expected) = self, offset > 0 else { return self }
        // A server may claim any length.
        let whole = expected.map { $0.addingReportingOverflow(offset) }
        return .received(bytes + offset, expected: whole.flatMap { $0.overflow ? nil : $0.partialValue })
    }
}
