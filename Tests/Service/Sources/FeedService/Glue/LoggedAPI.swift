import APIBaseKit
import Logging

/// Writes a line for each upstream call to the log of the request that it is made for.
class LoggedAPI: InspectedAPI {
    private let logger = Logger.current

    override func report(_ event: CallEvent) {
        super.report(event)
        guard logger.logLevel <= .info else { return }
        CallLog { [logger] line in logger.info("\(line)") }.report(event)
    }
}
