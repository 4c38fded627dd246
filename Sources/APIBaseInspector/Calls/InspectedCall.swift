import APIBaseRecording
import Foundation

/// A call as the page shows it. The page gets it again, as a whole, with each change. Times are in milliseconds since
/// the start of the call.
struct InspectedCall: Encodable, Sendable {
    enum State: String, Encodable {
        case running, ended, failed, canceled
    }

    enum Mark: String, Encodable {
        case cache, shared, stub, refresh, redirect
        case notModified = "304"
    }

    /// A part of the time of an attempt.
    struct Segment: Encodable {
        let name: String
        var start: Double
        let time: Double

        /// Rounds the times to microseconds.
        init(name: String, start: Double, time: Double) {
            self.name = name
            self.start = (start * 1_000).rounded() / 1_000
            self.time = (time * 1_000).rounded() / 1_000
        }
    }

    /// A request and its response. A redirect, and a request whose token was refused, have their own.
    struct Attempt: Encodable {
        let number: Int
        var start: Double
        var end: Double?
        var segments: [Segment] = []
        /// Why another attempt followed.
        var reason: String?
        var exchange: Exchange?
        /// The messages of a socket; nil if there are none.
        var frames: SocketFrames?

        private enum CodingKeys: String, CodingKey {
            case number, start, end, segments, reason, frames
            case exchange = "entry"
        }
    }

    /// An entry of HAR, or as much of it as is known before the response.
    enum Exchange: Encodable {
        case whole(HAR.Entry)
        case request(HAR.Request, startedDateTime: String)

        private enum CodingKeys: String, CodingKey {
            case request, startedDateTime
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .whole(let entry): try entry.encode(to: encoder)
            case .request(let request, let started):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(request, forKey: .request)
                try container.encode(started, forKey: .startedDateTime)
            }
        }

        fileprivate var size: Int {
            switch self {
            case .whole(let entry):
                entry.request.size + entry.response.headers.size + (entry.response.content.text?.utf8.count ?? 0)
            case .request(let request, _): request.size
            }
        }
    }

    let id: Int
    /// The names of the classes, from that of the request to the one below `APIBase`; `nil` in a recording.
    var classes: [String]?
    /// The name of the account; `nil` if the call has none, or one without a name.
    var account: String?
    /// The template of the path; `nil` until a request was built, and if it has none.
    var template: String?
    var state = State.running
    var error: String?
    var started: String
    /// The time of the whole call; `nil` while it runs.
    var time: Double?
    var marks: [Mark] = []
    var attempts: [Attempt] = []

    mutating func mark(_ mark: Mark) {
        if !marks.contains(mark) { marks.append(mark) }
    }

    /// About the bytes of the call in memory.
    var size: Int { attempts.reduce(1_000) { $0 + 2_000 + ($1.exchange?.size ?? 0) + ($1.frames?.memory ?? 0) } }
}

extension HAR.Request {
    fileprivate var size: Int { 2 * url.utf8.count + headers.size + (postData?.text?.utf8.count ?? 0) }
}

extension [HAR.Field] {
    fileprivate var size: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 50 } }
}
