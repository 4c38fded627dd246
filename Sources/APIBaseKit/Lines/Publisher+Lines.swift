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
    /// One chunk is asked for at a time, the first one upon subscription, and the next when all lines that end in it have been
    /// asked for.
    ///
    /// - Parameter limit: How many bytes a line may have, without its end: by default 1 MiB. So much may be kept in memory.
    /// - Returns: A publisher that fails with ``RequestError/lineTooLong(limit:)``, as soon as a line is longer, whether or not
    ///   it has ended, and with whatever upstream fails with. A line that is under way then is not delivered.
    public func lines(limit: Int = 1 << 20) -> AnyPublisher<String, any Error> {
        split(deliversRest: true) {
            LineSplitter(ends: .any, limit: limit, tooLong: .lineTooLong(limit: limit)) {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    /// The lines that a splitter makes, of which each subscriber gets its own; and, if `deliversRest`, what stands behind the
    /// last end of a line.
    func split<Line>(
        deliversRest: Bool,
        by makeSplitter: @escaping () -> LineSplitter<Line>
    ) -> AnyPublisher<Line, any Error> {
        Deferred {
            let splitter = makeSplitter()
            let rest = Deferred {
                Publishers.Sequence<[Result<Line, RequestError>], any Error>(
                    sequence: deliversRest ? [splitter.rest()].compactMap { $0 } : []
                )
            }
            return mapError { $0 as any Error }
                .compactMap { splitter.take($0) ? splitter : nil }
                .flatMap(maxPublishers: .max(1)) { Publishers.Sequence<LineSplitter<Line>, any Error>(sequence: $0) }
                .append(rest)
                // Here and not before, so that the lines before a failure are delivered.
                .tryMap { try $0.get() }
        }
        .eraseToAnyPublisher()
    }
}
