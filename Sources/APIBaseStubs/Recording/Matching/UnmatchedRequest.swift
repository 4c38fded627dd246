import Foundation

/// A request that no entry of a recording answers, and the entries that come nearest.
public struct UnmatchedRequest: Sendable, Hashable {
    /// An entry that would have answered another request.
    public struct Candidate: Sendable, Hashable {
        /// Its number in the file, counted from 1.
        public let number: Int
        /// Its method and redacted URL, as `GET https://host/path?page=2`.
        public let request: String
        /// Whether it would answer this request, but has answered one before.
        public let isUsed: Bool
        /// The differences from the request: none if ``isUsed``.
        public let differences: [Difference]
    }

    /// One thing that is different about a request and an entry: `method`, `path`, `query item “page”`, `header “Accept”`,
    /// `body.title`.
    public typealias Difference = Mismatch

    /// The name of the recording.
    public let recording: String
    /// Method and redacted URL of the request, as `GET https://host/path?page=1`.
    public let request: String
    /// The number of entries in the recording.
    public let entryCount: Int
    /// The entries that come nearest, the nearest first: at most three.
    public let nearest: [Candidate]
}

extension UnmatchedRequest {
    /// Without secrets that stand where nothing says that they are some.
    func cleaned(of secrets: Secrets) -> UnmatchedRequest {
        UnmatchedRequest(
            recording: recording,
            request: secrets.removed(from: request),
            entryCount: entryCount,
            nearest: nearest.map { candidate in
                Candidate(
                    number: candidate.number,
                    request: secrets.removed(from: candidate.request),
                    isUsed: candidate.isUsed,
                    differences: candidate.differences.map {
                        let (expected, found) = (secrets.removed(from: $0.expected), secrets.removed(from: $0.found))
                        return Mismatch($0.field, expected: expected, found: found)
                    }
                )
            }
        )
    }
}

extension UnmatchedRequest: CustomStringConvertible {
    /// The request as text, and a line for each of ``nearest`` with its differences.
    public var description: String {
        let refusal = "No entry of \(recording) answers \(request)"
        guard !nearest.isEmpty else { return "\(refusal): it has none." }
        let heading = nearest.count == entryCount ? "What it has:" : "The nearest of its \(entryCount):"
        return "\(refusal). \(heading)" + nearest.map { "\n  \($0.description)" }.joined()
    }
}

extension UnmatchedRequest.Candidate: CustomStringConvertible {
    /// The entry, and what is different about it, as a line.
    public var description: String {
        let reason = isUsed ? "has answered before" : differences.map(\.description).joined(separator: "; ")
        return "entry \(number), \(request): \(reason)"
    }
}
