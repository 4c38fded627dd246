internal import Foundation

// Foundation's strategies may get cases that this module does not know yet. On Apple systems, where Foundation is newer or
// older than the program, the compiler asks for that case; elsewhere there is none.
extension Settings {
    #if canImport(Darwin)
    /// Whether each strategy is one of those this module knows.
    var areSupported: Bool {
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .formatted, .custom: break
        @unknown default: return false
        }
        switch data {
        case .deferredToData, .base64, .custom: break
        @unknown default: return false
        }
        switch floats {
        case .throw, .convertFromString: break
        @unknown default: return false
        }
        switch keys {
        case .useDefaultKeys, .convertFromSnakeCase, .custom: return true
        @unknown default: return false
        }
    }
    #else
    /// Whether each strategy is one of those this module knows.
    var areSupported: Bool { true }
    #endif
}
