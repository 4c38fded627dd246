/// One event of an event stream, as a server sends it (HTML standard, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The kind of event: what the server says in the field `event`, or `message`.
    public let type: String
    /// The values of the fields `data`, with a line feed between each two.
    public let data: String
    /// The last `id` that has come, with this event or before it: where a stream that has broken off can be taken up again.
    /// Empty if there was none.
    public let lastEventID: String

    /// Creates an event, as for a test of what handles events.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

extension ServerSentEvent {
    /// The event as a stream has it, with the empty line behind it (HTML standard, section 9.2.6), for a server that passes events
    /// on: the body of an event stream is the texts of its events. Line breaks in ``type`` and ``lastEventID``, which no event that
    /// has come from a stream has, are left out.
    public var streamText: String {
        let (type, id) = (type.filter { !$0.isNewline }, lastEventID.filter { !$0.isNewline })
        let lines = data.split(separator: /\r\n|\r|\n/, omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return (type == "message" ? "" : "event: \(type)\n") + (id.isEmpty ? "" : "id: \(id)\n") + lines.joined() + "\n"
    }
}
