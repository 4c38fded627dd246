extension Behavior {
    /// The whole table.
    package static let all: [Behavior] = [
        brokenOff, lengths, chunks, heads, statusLines, interim, withoutBody, notHTTP, slow, challenges, redirects,
        codings, uploads, leftovers,
    ].flatMap { $0 }
}

/// The start of many behaviors.
enum Start {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// A complete response, which may be followed by others.
    static let body = ok + "Content-Length: 4\r\n\r\nbody"

    /// A response that must never be accepted.
    static let forged = ok + "Content-Length: 6\r\n\r\nforged"
}
