import APIBaseKit
import Hummingbird
import ServiceLifecycle

/// The prices of the ticker, passed on as they come.
enum Events {
    /// The response to a client, which may have lost the stream after an event.
    static func response(after lastEventID: String?) -> Response {
        let events = EventSequence(events: PricesRequest().eachEvent(after: lastEventID ?? ""))
        let body = ResponseBody { writer in
            for try await event in events.cancelOnGracefulShutdown() {
                try await writer.write(ByteBuffer(string: event.streamText))
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: body)
    }
}
