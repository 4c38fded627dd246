import APIBaseKit

/// The channels that the command writes to: for the requested output, and for everything else.
struct Output: Sendable {
    /// The channel for the requested output, such as the body of a reply.
    let out: Channel
    /// Errors, progress, times.
    let err: Channel

    /// The process's own standard output and standard error.
    ///
    /// If nobody reads the output any more, as behind `| head -1`, the process ends as if by SIGPIPE, without a word; if it
    /// cannot be written for another reason, with 1.
    static let standard: Output = {
        let err = Channel(STDERR_FILENO) { _ in }
        let out = Channel(STDOUT_FILENO) { failure in
            if failure == EPIPE { exit(ExitCode.closedPipe) }
            err.line("apibase: the output cannot be written.")
            exit(ExitCode.failed)
        }
        return Output(out: out, err: err)
    }()

    /// Writes a line of what was asked for.
    func line(_ text: String) { out.line(text) }

    /// Writes a line of everything else.
    func error(_ text: String) { err.line(text) }

    /// Writes a value as JSON, with its keys in order.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        line(out.terminal == nil ? text : JSONText(text)?.printed(in: out.style) ?? text)
    }
}

/// An error in one sentence, with what the server gave as its reason.
func describe(_ error: any Error) -> String {
    guard case RequestError.httpFailure(let failure) = error else { return error.localizedDescription }
    let reason = try? failure.decode(Reason.self).reason
    return ([failure.description] + [reason].compactMap { $0 }).joined(separator: " ")
}

/// The reason that a server gives for a failure.
private struct Reason: Decodable {
    let reason: String
}
