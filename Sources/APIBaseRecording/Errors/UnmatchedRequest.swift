public import APIBaseStubs

/// A request that no entry of a recording answers, and the entries that come nearest. It contains no secrets.
public struct UnmatchedRequest: Sendable, Hashable {
    /// An entry that answers other requests.
    public struct Candidate: Sendable, Hashable {
        /// Its number in the file, counted from 1.
        public let number: Int
        /// Its method and redacted URL, such as `GET https://host/path?page=2`.
        public let request: String
        /// Whether it matches the request, but has answered one before.
        public let isUsed: Bool
        /// The differences from the request. Empty if ``isUsed``.
        public let differences: [Difference]
    }

    /// One difference between a request and an entry: of `method`, `path`, `operation`, `variables.id`,
    /// `query item “page”`, `header “Accept”`, `body.title`.
    public typealias Difference = Mismatch

    /// The name of the recording.
    public let recording: String
    /// Method and redacted URL of the request, such as `GET https://host/path?page=1`.
    public let request: String
    /// The number of entries in the recording that answer a request.
    public let entryCount: Int
    /// The numbers of those that answer none, counted from 1: they have no response, or no request that can be read.
    public let passedOver: [Int]
    /// The entries that come nearest, the nearest first, three at most.
    public let nearest: [Candidate]
}

extension UnmatchedRequest: CustomStringConvertible {
    /// The request, and a line for each of ``nearest`` with its differences.
    public var description: String {
        let refusal = "No entry of \(recording) answers \(request)"
        guard !nearest.isEmpty else { return "\(refusal): it has none.\(remark)" }
        let heading = nearest.count == entryCount ? "What it has:" : "The nearest of its \(entryCount):"
        return "\(refusal). \(heading)" + nearest.map { "\n  \($0.description)" }.joined() + remark
    }

    /// A line on the entries that were passed over, at most ten of them.
    private var remark: String {
        guard !passedOver.isEmpty else { return "" }
        let numbers = passedOver.prefix(10).map(String.init) + (passedOver.count > 10 ? ["…"] : [])
        return "\nWithout a request or a response that can be read: entry \(numbers.joined(separator: ", "))"
    }
}

extension UnmatchedRequest.Candidate: CustomStringConvertible {
    /// The entry and its differences on one line.
    public var description: String {
        let reason = isUsed ? "has answered before" : differences.map(\.description).joined(separator: "; ")
        return "entry \(number), \(request): \(reason)"
    }
}
