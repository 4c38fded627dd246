extension Publisher where Output == Data {
    /// The bytes as lines of text, each as soon as its end has come.
    ///
    /// ```swift
    /// LogRequest().sendStream().flatMap { $0.body.lines() }
    /// ```
    ///
    /// A line ends with LF, CRLF or CR, and is delivered without it. What stands behind the last end is a line too, unless it is
    /// empty. The chunks in which the bytes come make no difference. Bytes that are not UTF-8 become replacement characters
    /// (U+FFFD); a byte order mark stays where it is.
    ///
    /// One chunk is asked for at a time, as soon as a line is wanted and none is left of the chunk before.
    ///
    /// A loop over `values` whose task is cancelled ends without an error: say `try Task.checkCancellation()` after it.
    ///
    /// - Parameter limit: How many bytes a line may have, without its end: by default 1 MiB. So much may be kept in memory.
    /// - Returns: A publisher that fails with ``RequestError/lineTooLong(limit:)``, as soon as a line is longer, whether or not
    ///   it has ended, and with whatever upstream fails with. A line that is under way then is not delivered.
    public func lines(limit: Int = 1 << 20) -> AnyPublisher<String, any Error> {
        split(
            by: LineSplitter(limit: limit, tooLong: .lineTooLong(limit: limit)) { String(decoding: $0, as: UTF8.self) }
        )
        .eraseToAnyPublisher()
    }

    /// The lines that a splitter makes, of which each subscriber gets its own.
    func split<Line>(by splitter: LineSplitter<Line>) -> Lines<Self, Line> { Lines(upstream: self, splitter: splitter) }
}

/// A publisher of the lines of another's bytes.
struct Lines<Upstream: Publisher, Line>: Publisher where Upstream.Output == Data {
    typealias Output = Line
    typealias Failure = any Error

    let upstream: Upstream
    let splitter: LineSplitter<Line>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Line, S.Failure == any Error {
        upstream.mapError { $0 as any Error }.subscribe(LineSubscription(splitter, for: subscriber))
    }
}
