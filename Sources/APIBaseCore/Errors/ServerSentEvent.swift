/// One event of an event stream (HTML standard, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event: the value of the field `event`, or `message`.
    public let type: String
    /// The values of the fields `data`, joined with line feeds.
    public let data: String
    /// The last `id` in the stream so far, with which a broken stream can be resumed. Empty if there was none.
    public let lastEventID: String
    /// The secrets of the request, which the description leaves out.
    var secrets = RequestSecrets.none
    /// The API's own error, if the event reports a failure.
    var detail = FailureDetail.none

    /// Creates an event, for example for a test.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }

    /// The event as text in an event stream, with the empty line that ends it (HTML standard, section 9.2.6). A server
    /// can send these texts as the body of an event stream. Line breaks in ``type`` and ``lastEventID`` are left out;
    /// events from a stream have none.
    public var streamText: String {
        let (type, id) = (type.filter { !$0.isNewline }, lastEventID.filter { !$0.isNewline })
        let lines = data.split(separator: /\r\n|\r|\n/, omittingEmptySubsequences: false).map { "data: \($0)\n" }
        return (type == "message" ? "" : "event: \(type)\n") + (id.isEmpty ? "" : "id: \(id)\n") + lines.joined() + "\n"
    }

    package static let mediaType = "text/event-stream"
}

extension ServerSentEvent: CustomStringConvertible, CustomReflectable {
    /// The type and the beginning of the data, without control characters and values of secret names. An error of a
    /// server, ``RequestError/failureEvent(_:)``, may repeat what it was sent, so it is also without the secrets of its
    /// request.
    public var description: String {
        "\(shownType): \(HTTPFailure.presentable(data, without: secrets))"
    }

    /// The type as errors show it.
    var shownType: String { HTTPFailure.presentable(type, without: secrets) }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}
