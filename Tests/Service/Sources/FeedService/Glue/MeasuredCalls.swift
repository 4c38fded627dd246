import APIBaseKit
import Metrics

/// Records how long each upstream call takes, by its class, its account and its outcome.
struct MeasuredCalls: CallWatcher {
    func report(_ event: CallEvent) {
        guard let timings = event.timings else { return }
        let status = timings.statusCode.map { "\($0)" } ?? "none"
        var dimensions = [("call", "\(timings.call.type)"), ("status", status)]
        if let account = timings.call.account { dimensions.append(("account", account)) }
        Metrics.Timer(label: "upstream_call", dimensions: dimensions).record(duration: timings.whole)
    }
}
