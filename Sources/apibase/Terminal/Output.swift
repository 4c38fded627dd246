import APIBaseKit
import Basics

/// One output of the command: standard output or standard error.
struct Channel: Sendable {
    /// The terminal it leads to; `nil` for a pipe or a file.
    var terminal: Terminal?
    let write: @Sendable (Data) -> Void

    var style: Style { Style(hasColors: terminal?.hasColors ?? false) }

    func line(_ text: String) { write(Data("\(text)\n".utf8)) }
}

extension Channel {
    /// Writes to a descriptor. Calls `onFailure` with the error number of a failed write.
    init(_ descriptor: Int32, onFailure: @escaping @Sendable (Int32) -> Void) {
        self.init(terminal: Terminal(descriptor)) { data in
            let failure = writeAll(data, to: descriptor)
            if failure != 0 { onFailure(failure) }
        }
    }
}

/// Writes all bytes to a descriptor. Returns 0, or the number of the error.
func writeAll(_ data: Data, to descriptor: Int32) -> Int32 {
    var rest = data[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
            // Another process can make a shared terminal non-blocking.
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&entry, 1, -1)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}

struct Output: Sendable {
    /// For the requested output, such as the body of a response.
    let out: Channel
    let err: Channel

    func line(_ text: String) { out.line(text) }

    func error(_ text: String) { err.line(text) }

    /// Writes a value as JSON with sorted keys.
    func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        line(out.terminal == nil ? text : JSONText(text)?.formatted(in: out.style) ?? text)
    }

    /// Writes the body of a response: unchanged to a pipe or a file, without control characters to a terminal. JSON is
    /// formatted on a terminal, and with `isPretty` everywhere.
    func show(_ body: Data, isPretty: Bool = false) {
        let json = isPretty || out.terminal != nil ? JSONText(body) : nil
        guard out.terminal != nil || json != nil else { return out.write(body) }
        if body.isEmpty { return }
        if let json {
            line(json.formatted(in: out.style))
        } else if let text = String(valid: body), !text.contains("\0") {
            line(text.replacing("\r\n", with: "\n").trimmedEnd.forTerminal)
        } else {
            error("apibase: The body is not text: \(Format.bytes(Int64(body.count))). Save it with --output FILE.")
        }
    }
}

extension String {
    var trimmedEnd: String { String(reversed().drop(while: \.isNewline).reversed()) }
}
