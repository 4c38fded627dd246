/// What is asked of the contenders.
struct Scenario: Sendable {
    /// What the server sends.
    enum Body: String, Sendable {
        /// Ten users, 4 KB of JSON.
        case users
        /// The same, with a header that differs in every response.
        case varied = "varied/users"
        /// 1 MB.
        case megabyte
    }

    let name: String
    let body: Body
    let isHTTP2: Bool
    /// Whether models are made of what comes.
    let isDecoded: Bool
    /// Requests that are under way at a time.
    let concurrency: Int

    /// The contenders that take part. `URLSession` cannot be told whom to trust.
    var contenders: [Contender] {
        Contender.allCases.filter { $0.isDecoding == isDecoded && !(isHTTP2 && $0 == .urlSession) }
    }

    /// Whom the others are compared with.
    var rival: Contender { isDecoded ? .asyncDecoded : .async }

    /// First what real servers send: heads of which each is another, by a request's ID, a limit, a date.
    static let all =
        [1, 8, 64, 256].map { Scenario("4 KB, HTTP/1.1", .varied, $0) }
        + [1, 8, 64, 256].map { Scenario("4 KB decoded to models, HTTP/1.1", .varied, isDecoded: true, $0) }
        + [8, 64].map { Scenario("4 KB, HTTP/2 over TLS", .varied, isHTTP2: true, $0) }
        + [8, 64].map { Scenario("4 KB, HTTP/1.1, the same head in every response", .users, $0) }
        + [Scenario("1 MB, HTTP/1.1", .megabyte, 8)]

    init(_ what: String, _ body: Body, isHTTP2: Bool = false, isDecoded: Bool = false, _ concurrency: Int) {
        name = "\(what), \(concurrency) at a time"
        self.body = body
        self.isHTTP2 = isHTTP2
        self.isDecoded = isDecoded
        self.concurrency = concurrency
    }
}

extension Scenario {
    /// What a copy of this process does for one round of the contender.
    func job(for contender: Contender, on server: Nginx, _ options: Options) throws -> Job {
        Job(
            contender: contender,
            url: (isHTTP2 ? server.secure : server.plain).appendingPathComponent(body.rawValue),
            length: try server.length(of: body.rawValue),
            authorities: isHTTP2 ? server.authorities : nil,
            concurrency: concurrency,
            connections: options.connections,
            warmUp: concurrency * max(2, 100 / concurrency),
            count: count(for: contender) * options.scale
        )
    }

    /// Requests of one round, so that a round of any contender takes about a second.
    private func count(for contender: Contender) -> Int {
        let usual = contender == .urlSession ? 1_200 : isDecoded ? 3_000 : 8_000
        let count = body == .megabyte ? min(usual, 600) : concurrency == 1 ? usual / 2 : usual
        return max(count, concurrency * 2) / concurrency * concurrency
    }
}
