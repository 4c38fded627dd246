import APIBaseInspector
import APIBaseKit

/// Shows each upstream call on the page of the inspector, if it runs.
struct InspectedCalls: CallWatcher {
    func report(_ event: CallEvent) { Inspector.current?.report(event) }
}
