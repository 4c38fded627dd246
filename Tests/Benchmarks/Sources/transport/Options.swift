/// What the program was asked for.
struct Options {
    var rounds = 5
    /// How many times the usual number of requests make a round.
    var scale = 1
    /// Connections that may be open at a time; nil for as many as requests.
    var connections: Int?
    private var words: [String] = []
    private var contenders: [Contender] = []

    static let help = """
        Measures HTTP clients side by side against nginx on this machine, each in a process of its own.

        transport                the table, in less than four minutes
          --rounds N             rounds (5)
          --scale N              N times as many requests in a round (1)
          --long                 the same as --rounds 9 --scale 4
          --connections N        connections per client (as many as requests at a time)
          --only TEXT            only scenarios whose name contains TEXT; as often as wanted
          --contender NAME       only this contender: \(Contender.allCases.map(\.rawValue).joined(separator: ", "))
        transport memory         memory for 100 MB from the network to a file and back
        transport scope          what a look at the task's scope of stubs costs where there is none
        """

    /// nil if there is a word that is not known.
    init?(_ words: some Sequence<String>) {
        var rest = words.makeIterator()
        while let word = rest.next() {
            switch word {
            case "--long": (rounds, scale) = (9, 4)
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
