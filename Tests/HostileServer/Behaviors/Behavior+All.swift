extension Behavior {
    /// The whole table.
    package static let all: [Behavior] = [
        brokenOff, lengths, chunks, heads, statusLines, interim, withoutBody, notHTTP, slow, challenges, redirects,
        codings, uploads, leftovers,
    ].flatMap { $0 }
}

/// What many behaviors begin with.
enum Start {
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// A whole response, and so is what follows it.
    static let body = ok + "Content-Length: 4\r\n\r\nbody"

    /// What must never be taken for an answer.
    static let forged = ok + "Content-Length: 6\r\n\r\nforged"
}
