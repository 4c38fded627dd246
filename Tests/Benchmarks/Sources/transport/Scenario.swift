import Foundation

/// What is asked of the contenders.
struct Scenario: Sendable, Codable {
    /// What the server sends.
    enum Body: String, Sendable, Codable {
        /// Ten users, 4 KB of JSON.
        case users
        /// 1 MB.
        case megabyte
    }

    let name: String
    let body: Body
    let isHTTP2: Bool
    /// Requests that are under way at a time.
    let concurrency: Int

    /// The contenders that take part.
    var contenders: [Contender] {
        switch body {
        case .megabyte: [.c, .events, .response, .kit, .async, .futures, .urlSession]
        case .users: isHTTP2 ? [.c, .events, .response, .kit, .async, .futures] : Contender.allCases
        }
    }

    /// Requests of one round, so that a round of any contender takes about a second.
    func count(for contender: Contender) -> Int {
        let usual =
            switch contender {
            case .urlSession: 1_200
            case .decoding: 3_000
            default: 8_000
            }
        let count = body == .megabyte ? min(usual, 600) : concurrency == 1 ? usual / 2 : usual
        return max(count, concurrency * 2) / concurrency * concurrency
    }

    static let all =
        [1, 8, 64, 256].map { Scenario(name: "4 KB, HTTP/1.1, \($0) at a time", .users, $0) }
        + [8, 64].map { Scenario(name: "4 KB, HTTP/2 over TLS, \($0) at a time", .users, isHTTP2: true, $0) }
        + [Scenario(name: "1 MB, HTTP/1.1, 8 at a time", .megabyte, 8)]

    private init(name: String, _ body: Body, isHTTP2: Bool = false, _ concurrency: Int) {
        self.name = name
        self.body = body
        self.isHTTP2 = isHTTP2
        self.concurrency = concurrency
    }
}
