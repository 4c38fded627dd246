extension APIBase {
    /// Downloads what the call brings into a file.
    ///
    /// ```swift
    /// for try await file in request.download(to: folder.appendingPathComponent("photo.jpg")).values { show(file) }
    /// try Task.checkCancellation()
    /// ```
    ///
    /// A loop over `values` whose task is cancelled ends without an error, which is what the last line is for.
    ///
    /// The bytes go into `<name>.partial` beside the file, and take its place when all of them are there: until then it stays as
    /// it was. Whatever ends a download before, another one goes on behind the last byte, also in another process, if the
    /// server knows the version of the file by a strong `ETag` or an old enough `Last-Modified` (RFC 9110, sections 13.1.5 and
    /// 14). If the file has changed there meanwhile, it begins anew, as it does for another URL and for another method than
    /// `GET`. What is known of the part is in `<name>.partial-info`, without secrets.
    ///
    /// A part is gone on with only if it is still the file that was left, belongs to this user, and may be written by nobody
    /// else; otherwise the download fails, or begins anew where it is another file. A file that no download has left is never
    /// taken for a part, and a part of another download never for the target: a ``DownloadFailure`` says what is in the way.
    ///
    /// It is a call like that of ``sendStream()``, with the same limits: none on time and bytes unless they are asked for. With a
    /// ``retry``, a body that breaks off is gone on with, or begun anew, after the policy's waits, until as many attempts in a
    /// row have brought it no further; by methods that are idempotent only (RFC 9110, section 9.2.2). ``downloadProgress`` counts
    /// the bytes that were there before as well. Any size takes the memory of a few chunks.
    ///
    /// - Parameters:
    ///   - file: Where it is to be. Its folder has to exist. Where there is a symbolic link, what it leads to is replaced; a
    ///     folder, a device or a pipe never is.
    ///   - resuming: Whether to go on with a part, and to leave one. If not, nothing but the whole file stays.
    /// - Returns: A publisher of the file's URL, which fails with ``DownloadFailure`` for what is wrong with files, lengths or
    ///   digests (RFC 9530, SHA-256), and with whatever ``sendStream()`` fails with. Cancelling it keeps the part.
    public func download(to file: URL, resuming: Bool = true) -> AnyPublisher<URL, any Error> {
        StreamCalls(of: self).deliver { calls in
            Deferred { () -> AnyPublisher<URL, any Error> in
                do {
                    return try Download(calls, to: file, resuming: resuming).rounds
                } catch {
                    return Fail(error: error).eraseToAnyPublisher()
                }
            }
            .eraseToAnyPublisher()
        }
    }
}
