import HTTPTransport

extension RequestError {
    /// The polls of an operation, for a message. All are equal, so that they need not be given to compare errors.
    public struct Polls: Sendable, Hashable {
        /// The number of polls that were answered, without the call that began the operation.
        public private(set) var count = 0
        /// The status of the last response; `nil` if there was none.
        public private(set) var lastStatus: Int?
        /// The URL of the last response, without user-info and query values.
        public private(set) var lastURL: URL?
        /// The name of the answer's source in place of the network, such as `the stub “GET /jobs/:id”`.
        private var lastAnswerer: String?

        /// Creates a list of no polls, as in a comparison.
        public init() {}

        /// Always true.
        public static func == (left: Polls, right: Polls) -> Bool { true }
        /// Hashes nothing.
        public func hash(into hasher: inout Hasher) {}

        /// Adds a response. `answerer` is what has answered in place of the network.
        package mutating func add(_ head: ResponseHead, isFirst: Bool, by answerer: String?) {
            if !isFirst { count += 1 }
            (lastStatus, lastURL, lastAnswerer) = (head.statusCode, head.url.redacted, answerer)
        }

        func removing(_ secrets: RequestSecrets) -> Polls {
            var polls = self
            polls.lastURL = secrets.removed(from: lastURL)
            polls.lastAnswerer = lastAnswerer.map { secrets.removed(from: $0) }
            return polls
        }

        /// The rest of an error's text, with a space before it.
        var sentence: String {
            guard let lastStatus else { return " There was no response." }
            let place = lastURL.map { " from \(count > 0 ? "GET " : "")\($0.absoluteString)" } ?? ""
            let answerer = lastAnswerer.map { ", by \($0)" } ?? ""
            return " Polls: \(count). The last response had status \(lastStatus)\(place)\(answerer)."
        }
    }
}
