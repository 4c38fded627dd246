/// What a replica says about one command, as a line of JSON.
public struct Answer: Codable, Sendable {
    /// The number of calls that have succeeded.
    public var done = 0
    /// The errors of the others.
    public var errors: [String] = []
    /// The body of the last reply.
    public var body = ""

    /// Nothing, so far.
    public init() {}
}
