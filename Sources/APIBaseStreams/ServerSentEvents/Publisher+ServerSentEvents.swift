import Basics

extension Publisher where Output == Data {
    /// The bytes as the events of an event stream, `text/event-stream` (HTML standard, section 9.2.6).
    ///
    /// An event is delivered at the blank line that completes it. If the bytes end before that, it is dropped.
    /// Comments, unknown fields, and events without data are skipped. This operator reads one stream: it does not check
    /// the media type, and does not reconnect.
    ///
    /// Chunks are requested as by ``lines(limit:)``.
    ///
    /// - Parameter limit: The maximum length in bytes of a line, and of an event's data and type together: by default
    ///   16 MiB.
    /// - Returns: A publisher that fails with ``RequestError/eventTooLong(limit:)``, as soon as an event is longer,
    ///   whether or not it is complete, and with the errors of the upstream.
    public func serverSentEvents(limit: Int = 1 << 24) -> AnyPublisher<ServerSentEvent, any Error> {
        Pulled {
            var parser = EventStreamParser(limit: limit)
            return LineReader(of: self, by: .events(limit)) { try parser.parse($0.text) }
        }
        .eraseToAnyPublisher()
    }
}

extension LineSplitter {
    /// The lines of an event stream. A line without an end may be cut off: `retry: 1` of `retry: 10000`.
    static func events(_ limit: Int, deliversRest: Bool = false) -> Self {
        LineSplitter(deliversRest: deliversRest, limit: limit, tooLong: .eventTooLong(limit: limit))
    }
}

/// Reads events from chunks of bytes.
struct EventReader {
    private var lines: LineSplitter
    private(set) var parser: EventStreamParser

    init(after lastEventID: String = "", limit: Int, deliversRest: Bool = false) {
        lines = .events(limit, deliversRest: deliversRest)
        parser = EventStreamParser(lastEventID: lastEventID, limit: limit)
    }

    /// Takes a chunk. ``next()`` must have returned `nil` for the previous one.
    mutating func take(_ chunk: Data) { lines.take(chunk) }

    /// The next event that the chunk completes.
    mutating func next() throws -> ServerSentEvent? {
        while let line = lines.next() {
            if let event = try parser.parse(line.get().text) { return event }
        }
        return nil
    }

    /// The event at the end of the bytes that no blank line has completed, if there is one.
    mutating func takeRest() throws -> ServerSentEvent? {
        if let line = lines.takeRest() { _ = try parser.parse(line.get().text) }
        return parser.takeRest()
    }
}

/// Parses an event stream line by line (HTML standard, section 9.2.6).
struct EventStreamParser: Sendable {
    /// The last event ID, with which a new connection resumes the stream. An `id` takes effect at the next blank line,
    /// with or without an event.
    private(set) var lastEventID: String

    /// The reconnection time that the server has asked for; `nil` if it has not.
    private(set) var retry: Duration?

    private let limit: Int
    private var isAtStart = true

    // The buffers of the standard. Each `data` field adds its value and a line feed.
    private var data = ""
    private var type = ""
    private var id: String

    /// - Parameters:
    ///   - lastEventID: The last event ID of the previous connection. By the standard it would be lost at the first
    ///     event without an `id`. Browsers keep it, as this does.
    ///   - limit: The maximum length of an event's data and type together, in bytes.
    init(lastEventID: String = "", limit: Int) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.limit = limit
    }

    /// Parses a line, given without its end.
    ///
    /// - Returns: The event that the line completes, if it does.
    /// - Throws: ``RequestError/eventTooLong(limit:)``.
    mutating func parse(_ line: String) throws(RequestError) -> ServerSentEvent? {
        var line = Substring(line)
        if isAtStart {
            isAtStart = false
            if line.utf8.starts(with: Self.byteOrderMark) {
                line = Substring(line.utf8.dropFirst(Self.byteOrderMark.count))
            }
        }
        if line.isEmpty { return dispatch() }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            try process(field: line, value: "")
            return nil
        }
        // A line that begins with a colon is a comment.
        guard colon > line.startIndex else { return nil }
        let value = line.utf8[colon...].dropFirst()
        let space = value.first == UInt8(ascii: " ") ? 1 : 0
        try process(field: line[..<colon], value: Substring(value.dropFirst(space)))
        return nil
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func process(field: Substring, value: Substring) throws(RequestError) {
        switch field {
        case "event": type = String(value)
        case "data":
            data += value
            data += "\n"
        case "id":
            if !value.utf8.contains(0) { id = String(value) }
        case "retry":
            guard !value.isEmpty, value.utf8.allSatisfy(\.isASCIIDigit) else { return }
            retry = .milliseconds(Int64(value) ?? .max)
        default: break
        }
        // Without the last line feed, which is not part of the data.
        let length = data.utf8.count + type.utf8.count - (data.isEmpty ? 0 : 1)
        guard length <= limit else { throw .eventTooLong(limit: limit) }
    }

    /// The event that no blank line has completed at the end of the stream, if there is one.
    mutating func takeRest() -> ServerSentEvent? { dispatch() }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (data, type) = ("", "") }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(Substring(data.utf8.dropLast())),
            lastEventID: id
        )
    }
}
