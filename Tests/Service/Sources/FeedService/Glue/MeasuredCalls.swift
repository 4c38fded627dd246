import APIBaseKit
import Metrics

/// Records how long each upstream call takes with all its attempts, by its class, its account and its outcome.
struct MeasuredCalls: CallWatcher {
    func report(_ event: CallEvent) {
        if case .retrying = event { return }
        guard let timings = event.timings else { return }
        let status = timings.statusCode.map { "\($0)" } ?? "none"
        var dimensions = [("call", "\(timings.call.type)"), ("status", status)]
        if let account = timings.call.account { dimensions.append(("account", account)) }
        Metrics.Timer(label: "upstream_call", dimensions: dimensions).record(duration: timings.whole)
    }
}
