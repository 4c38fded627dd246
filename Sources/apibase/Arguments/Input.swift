import APIBaseKit

/// The standard input, from which the body of a request may come.
struct Input: Sendable {
    /// Whether something was put in its place: a pipe, a socket or a file, and not a terminal, `/dev/null` or nothing.
    let isRedirected: Bool

    private let descriptor: Int32
    /// The time after which it is said that the input has not ended.
    private let patience: Duration

    init(_ descriptor: Int32, patience: Duration = .seconds(3)) {
        self.descriptor = descriptor
        self.patience = patience
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        isRedirected = [S_IFIFO, S_IFSOCK, S_IFREG].contains(kind)
    }

    /// Its bytes, to the end. Blocks.
    ///
    /// - Parameter onLong: Called once if the end is not there after a few seconds: whatever started the command may have
    ///   left a pipe open that nothing will be written to.
    /// - Returns: The bytes.
    /// - Throws: `POSIXError`.
    func read(onLong: () -> Void = {}) throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let limit = ContinuousClock.now + patience
        var isLong = false
        while true {
            if !isLong, !hasMore(before: limit) {
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

    /// Whether there are bytes, or the end, before that time.
    private func hasMore(before limit: ContinuousClock.Instant) -> Bool {
        let rest = limit - .now
        var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return rest > .zero && poll(&place, 1, Int32(rest / .milliseconds(1))) != 0
    }
}

/// The function of the system, beside a method of its name.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
