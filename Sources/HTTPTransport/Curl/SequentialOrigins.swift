#if os(Linux) || os(Android)
/// The origins whose last answer came over HTTP/1: between two exchanges a connection with them is silent.
struct SequentialOrigins {
    /// How many are remembered; beyond, all are forgotten.
    private static let most = 1_000

    private var origins: Set<Origin> = []

    func contains(_ origin: Origin) -> Bool { origins.contains(origin) }

    mutating func note(_ origin: Origin, multiplexes: Bool) {
        if multiplexes {
            origins.remove(origin)
        } else if !origins.contains(origin) {
            if origins.count >= Self.most { origins = [] }
            origins.insert(origin)
        }
    }
}
#endif
