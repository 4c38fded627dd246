import APIBaseKit

/// Where the command writes: what was asked for, and what went wrong.
struct Output: Sendable {
    let line: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void

    /// The process's own standard output and standard error. If the output cannot be written, the process ends with 1.
    static let standard = Output(
        line: { line in
            do {
                try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
            } catch {
                try? FileHandle.standardError.write(contentsOf: Data("apibase: the output cannot be written.\n".utf8))
                exit(1)
            }
        },
        error: { try? FileHandle.standardError.write(contentsOf: Data("\($0)\n".utf8)) }
    )

    /// Writes a value as JSON, with its keys in order.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// An error in one sentence, with what the server gave as its reason.
func describe(_ error: any Error) -> String {
    guard case RequestError.httpFailure(let failure) = error else { return error.localizedDescription }
    let reason = try? failure.decode(Reason.self).reason
    return ([failure.description] + [reason].compactMap { $0 }).joined(separator: " ")
}

/// What a server says of its failures.
private struct Reason: Decodable {
    let reason: String
}
