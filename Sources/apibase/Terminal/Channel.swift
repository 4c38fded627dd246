import APIBaseKit

/// One of the two ways out of the command.
struct Channel: Sendable {
    /// Writes bytes as they are.
    let write: @Sendable (Data) -> Void
    /// The terminal at its end; `nil` for a pipe or a file.
    let terminal: Terminal?

    init(terminal: Terminal? = nil, write: @escaping @Sendable (Data) -> Void) {
        self.write = write
        self.terminal = terminal
    }

    /// Colours where they are wanted.
    var style: Style { Style(hasColours: terminal?.hasColours ?? false) }

    /// Writes a line.
    func line(_ text: String) { write(Data("\(text)\n".utf8)) }
}

extension Channel {
    /// Writes to a descriptor, and tells what went wrong with the number of the error.
    init(_ descriptor: Int32, onFailure: @escaping @Sendable (Int32) -> Void) {
        self.init(terminal: Terminal(descriptor)) { data in
            let failure = data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = writeOnce(descriptor, rest)
                    if count >= 0 {
                        rest = rest.dropFirst(count)
                    } else if errno == EAGAIN {
                        // Whoever shares the terminal may have made it non-blocking.
                        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&place, 1, -1)
                    } else if errno != EINTR {
                        return errno
                    }
                }
                return 0
            }
            if failure != 0 { onFailure(failure) }
        }
    }
}

private func writeOnce(_ descriptor: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    return write(descriptor, bytes.baseAddress, bytes.count)
}
