extension APIBase {
    /// The lines of the response's body, each as soon as it has arrived:
    ///
    /// ```swift
    /// for try await line in LogRequest().eachLine() { … }
    /// ```
    ///
    /// The request is sent as by ``sendStream()``, and the lines are split as by `lines(limit:)`. When the first line
    /// has come, ``response`` has the head.
    ///
    /// - Returns: A sequence that throws the errors of ``sendStream()`` and ``RequestError/lineTooLong(limit:)``.
    public func eachLine() -> CallSequence<String> { CallSequence(sendStream().body.lines()) }
}

extension Publisher where Output == Data {
    /// The bytes as lines of text. Each is delivered as soon as its end has come.
    ///
    /// ```swift
    /// LogRequest().sendStream().body.lines()
    /// ```
    ///
    /// A line ends with LF, CRLF or CR, and is delivered without it. Text after the last end is a line too. The chunks
    /// of the bytes make no difference. Bytes that are not UTF-8 become replacement characters (U+FFFD). A byte order
    /// mark is kept.
    ///
    /// One chunk is requested at a time, when a line is wanted and none is left of the previous chunk.
    ///
    /// - Parameter limit: The maximum length of a line in bytes, without its end: by default 1 MiB. This much may be
    ///   kept in memory.
    /// - Returns: A publisher that fails with ``RequestError/lineTooLong(limit:)``, as soon as a line is longer,
    ///   whether or not it has ended, and with the errors of the upstream. An unfinished line is not delivered then.
    public func lines(limit: Int = 1 << 20) -> AnyPublisher<String, any Error> {
        let splitter = LineSplitter(limit: limit, tooLong: .lineTooLong(limit: limit))
        return Pulled { LineReader(of: self, by: splitter) { $0.text } }.eraseToAnyPublisher()
    }
}
