/// What the program was asked for.
struct Options {
    var rounds = 5
    /// How many times the usual number of requests make a round.
    var scale = 1
    /// Connections that may be open at a time; nil for each client's default.
    var connections: Int?
    private var words: [String] = []
    private var contenders: [Contender] = []

    static let help = """
        Measures HTTP clients side by side against nginx on this machine, each in a process of its own.

        transport                every client with its defaults, in some ten minutes
          --only TEXT            only scenarios whose name contains TEXT; as often as wanted
          --contender NAME       only this contender: \(Contender.allCases.map(\.rawValue).joined(separator: ", "))
        transport threads        CurlSession with 1, 2, 3, 4 and 8 threads
        transport blocking       what subscribers that block cost the others
        transport memory         memory for 100 MB from the network to a file and back
        transport files          1 GB from the network to a file and back, against the command curl
        transport leftovers      what 100,000 calls of each kind leave
        transport features       the time and the allocations that each feature adds to a call
        transport cache          a cache hit against a call over loopback, hit rates, and calls through a gate
        transport scope          the cost of a look at the task's scope of stubs, without a scope

          --rounds N             rounds (5), also of threads, blocking and files
          --scale N              N times as many requests in a round (1), also of threads
          --connections N        N connections per host, also of threads
        """

    /// nil if there is a word that is not known.
    init?(_ words: some Sequence<String>) {
        var rest = words.makeIterator()
        while let word = rest.next() {
            switch word {
            case "--rounds", "--scale", "--connections":
                guard let number = rest.next().flatMap({ Int($0) }), number > 0 else { return nil }
                switch word {
                case "--rounds": rounds = number
                case "--scale": scale = number
                default: connections = number
                }
            case "--only":
                guard let text = rest.next() else { return nil }
                self.words.append(text)
            case "--contender":
                guard let contender = rest.next().flatMap({ Contender(rawValue: $0) }) else { return nil }
                contenders.append(contender)
            default: return nil
            }
        }
    }

    func includes(_ scenario: String) -> Bool { words.isEmpty || words.contains(where: scenario.contains) }

    func includes(_ contender: Contender) -> Bool { contenders.isEmpty || contenders.contains(contender) }
}
