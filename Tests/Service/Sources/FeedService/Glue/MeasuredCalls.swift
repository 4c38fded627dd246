import APIBaseKit
import Metrics

/// Records how long each upstream call takes with all its attempts, by OpenTelemetry's names, and its account.
struct MeasuredCalls: CallWatcher {
    func report(_ event: CallEvent) {
        if case .retrying = event { return }
        guard let timings = event.timings else { return }
        var dimensions = event.metricAttributes.sorted { $0.key < $1.key }.map { ($0, $1.description) }
        if let account = timings.call.account { dimensions.append(("account", account)) }
        Metrics.Timer(label: "http.client.request.duration", dimensions: dimensions, preferredDisplayUnit: .seconds)
            .record(duration: timings.whole)
    }
}
