import APIBaseKit
import Metrics

/// Records how long each upstream call takes, by its class and its outcome.
class MeasuredAPI: LoggedAPI {
    override func report(_ event: CallEvent) {
        super.report(event)
        guard let timings = event.timings else { return }
        let status = timings.statusCode.map { "\($0)" } ?? "none"
        Metrics.Timer(label: "upstream_call", dimensions: [("call", "\(timings.call.type)"), ("status", status)])
            .record(duration: timings.whole)
    }
}
