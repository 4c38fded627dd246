import APIBaseKit

/// The standard input, which can be the body of a request.
struct Input: Sendable {
    /// Whether it is a pipe, a socket or a file. False for a terminal, `/dev/null`, or a closed input.
    let isRedirected: Bool

    private let descriptor: Int32
    /// The time after which the user is told that the input has not ended.
    private let noticeDelay: Duration

    init(_ descriptor: Int32, noticeDelay: Duration = .seconds(3)) {
        self.descriptor = descriptor
        self.noticeDelay = noticeDelay
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        isRedirected = [S_IFIFO, S_IFSOCK, S_IFREG].contains(kind)
    }

    /// Reads to the end. Blocks. Calls `onLong` once if the input has not ended after the delay.
    func read(onLong: () -> Void = {}) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let limit = ContinuousClock.now + noticeDelay
        var isLong = false
        while true {
            if !isLong, !isReadable(before: limit) {
                isLong = true
                onLong()
            }
            let count = systemRead(descriptor, &buffer, buffer.count)
            if count == 0 { return data }
            if count > 0 {
                data.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
    }

    /// The lines, read by a thread of their own, which is a thousand ahead at most. What is no UTF-8 is repaired.
    var lines: AsyncMapSequence<AsyncStream<String>, String> {
        let room = DispatchSemaphore(value: 0)
        for _ in 0..<1_000 { room.signal() }
        let lines = AsyncStream<String> { continuation in
            Thread { [descriptor] in
                var (rest, buffer) = (Data(), [UInt8](repeating: 0, count: 64 << 10))
                while true {
                    let count = systemRead(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    rest.append(contentsOf: buffer[..<count])
                    var start = rest.startIndex
                    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                        room.wait()
                        continuation.yield(String(decoding: rest[start..<end], as: UTF8.self))
                        start = end + 1
                    }
                    rest.removeSubrange(..<start)
                }
                if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
                continuation.finish()
            }.start()
        }
        return lines.map { line in
            room.signal()
            return line
        }
    }

    /// Whether a read returns at once, waiting for that until the time limit.
    private func isReadable(before limit: ContinuousClock.Instant) -> Bool {
        let rest = limit - .now
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return rest > .zero && poll(&entry, 1, Int32(rest / .milliseconds(1))) != 0
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

/// A secret on the command line: the text itself, `env:NAME` for a variable, or `file:PATH` for a file.
///
/// All users of the machine can see the command lines of running processes, so scripts use a variable or a file.
struct Secret: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Reads the secret of an option, without line breaks at the end of a file.
    func resolved(_ option: Option, in environment: [String: String]) throws -> String {
        if text.hasPrefix("env:") {
            let name = String(text.dropFirst(4))
            if let value = environment[name] { return value }
            throw UsageError.unavailable(option.name, reason: "there is no variable \(name)")
        }
        guard text.hasPrefix("file:") else { return text }
        let path = String(text.dropFirst(5))
        if let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) { return text.trimmedEnd }
        throw UsageError.unavailable(option.name, reason: "\(path) is not a readable text file")
    }
}
