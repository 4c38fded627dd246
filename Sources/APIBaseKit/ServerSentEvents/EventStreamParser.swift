import Basics

/// Reads one event stream line by line (HTML standard, section 9.2.6).
struct EventStreamParser: Sendable {
    /// The last event ID of the event source: that with which a new connection takes the stream up again.
    ///
    /// An `id` counts from the blank line behind it on, whether or not that has made an event.
    private(set) var lastEventID: String

    /// The reconnection time: how long the server asks to wait before a new connection. `nil` if it has not said so.
    private(set) var retry: Duration?

    private let limit: Int
    private var isAtStart = true

    // What the standard calls buffers. Each `data` field adds its value and a line feed.
    private var data = ""
    private var type = ""
    private var id: String

    /// - Parameters:
    ///   - lastEventID: That of the connection before, which holds until the stream has another. The standard has each stream
    ///     begin with none, and so it would be lost with the first event without an `id`; browsers keep it, as this does.
    ///   - limit: How many bytes the data and the type of an event may have together.
    init(lastEventID: String = "", limit: Int) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.limit = limit
    }

    /// Reads a line, which is without its end.
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
        // The line feed behind the last line of the data is no part of it.
        let length = data.utf8.count + type.utf8.count - (data.isEmpty ? 0 : 1)
        guard length <= limit else { throw .eventTooLong(limit: limit) }
    }

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
