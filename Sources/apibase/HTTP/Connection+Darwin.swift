#if !os(Linux) && !os(Android)
import APIBaseKit

/// The connection to the server. `URLSession` takes trust, certificates and addresses from the system.
struct Connection: Hashable {
    static let options: [Option] = []
    static let help = ""

    /// The session for the options; `nil` for the default session.
    var session: (any HTTPSession)? { nil }

    init(_ arguments: Arguments) throws {}
    init() {}
}
#endif
