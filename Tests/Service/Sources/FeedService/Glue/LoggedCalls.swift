import APIBaseKit
import Logging

/// Writes a line for each upstream call to the log of the request that it is made for.
struct LoggedCalls: CallWatcher {
    private let logger = Logger.current

    func report(_ event: CallEvent) {
        guard logger.logLevel <= .info else { return }
        CallLog { line in logger.info("\(line)") }.report(event)
    }
}
