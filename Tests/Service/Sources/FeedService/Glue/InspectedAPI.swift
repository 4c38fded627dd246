import APIBaseInspector
import APIBaseKit

/// Shows each upstream call on the page of the inspector, if it runs.
class InspectedAPI: JSONAPI {
    override func report(_ event: CallEvent) {
        super.report(event)
        Inspector.current?.report(event)
    }
}
