import Foundation
package import HTTPTransport

extension HAR.Entry {
    /// An exchange with its secrets. `wait` is the time to the head of the response, and `time` that to the last byte.
    package init(
        _ request: HAR.Request,
        _ head: ResponseHead,
        body: Data,
        started: Date,
        wait: Duration,
        time: Duration
    ) {
        self.init(
            startedDateTime: started.harText,
            time: time.milliseconds,
            request: request,
            response: HAR.Response(head, body: body),
            timings: HAR.Timings(wait: wait.milliseconds, receive: (time - wait).milliseconds)
        )
    }
}

extension HAR.Entry {
    /// Leaves out the bodies that are coded, since no secrets can be found in them, and says so in the comment.
    package mutating func leaveOutCodedBodies(ofRequest isRequestCoded: Bool, ofResponse isResponseCoded: Bool) {
        if isRequestCoded { request.postData = nil }
        if isResponseCoded { (response.content.text, response.content.encoding) = (nil, nil) }
        let names = [isRequestCoded ? "request" : nil, isResponseCoded ? "response" : nil].compactMap(\.self)
        guard !names.isEmpty else { return }
        let reason = "The coded body of the \(names.joined(separator: " and of the ")) is left out."
        comment = comment.map { "\($0) \(reason)" } ?? reason
    }
}

extension Date {
    /// The time as HAR has it: ISO 8601 with fractions of seconds.
    package var harText: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}

extension Duration {
    /// The milliseconds, to the microsecond.
    package var milliseconds: Double { ((self / .microseconds(1)).rounded()) / 1000 }
}
