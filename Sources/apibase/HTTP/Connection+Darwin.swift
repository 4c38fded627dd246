#if !os(Linux) && !os(Android)
import APIBaseKit

extension Connection {
    /// None: `URLSession` takes trust, certificates and addresses from the system.
    static let options: [Option] = []
    static let help = ""

    /// None but the default session.
    func session(in environment: [String: String]) throws(UsageError) -> (any HTTPSession)? { nil }
}
#endif
