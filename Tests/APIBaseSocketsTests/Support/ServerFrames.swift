/// The frames of a server, and a reader of a client's: simple, and independent of the code under test.
enum ServerFrames {
    /// A frame without a mask.
    static func frame(_ opcode: UInt8, _ payload: [UInt8] = [], last: Bool = true, reserved: UInt8 = 0) -> [UInt8] {
        var frame = [(last ? 0x80 : 0) | reserved << 4 | opcode]
        if payload.count < 126 {
            frame.append(UInt8(payload.count))
        } else if payload.count < 65536 {
            frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            frame.append(127)
            for shift in stride(from: 56, through: 0, by: -8) { frame.append(UInt8(payload.count >> shift & 0xFF)) }
        }
        return frame + payload
    }

    static func text(_ text: String, last: Bool = true) -> [UInt8] { frame(1, Array(text.utf8), last: last) }

    /// A message in frames of at most this many bytes.
    static func fragments(_ opcode: UInt8, _ payload: [UInt8], of size: Int, reserved: UInt8 = 0) -> [[UInt8]] {
        stride(from: 0, to: payload.count, by: size)
            .map { start in
                let part = Array(payload[start..<min(start + size, payload.count)])
                let isLast = start + size >= payload.count
                return frame(start == 0 ? opcode : 0, part, last: isLast, reserved: start == 0 ? reserved : 0)
            }
    }

    static func close(_ code: Int? = nil, _ reason: [UInt8] = []) -> [UInt8] {
        frame(8, (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + reason)
    }

    /// A client's frame, unmasked.
    struct Received: Equatable {
        var opcode: UInt8
        var reserved: UInt8 = 0
        var isLast = true
        var payload: [UInt8]
        /// Not compared by the tests that do not set it.
        var mask: [UInt8] = []

        func withoutMask() -> Received {
            Received(opcode: opcode, reserved: reserved, isLast: isLast, payload: payload)
        }
    }

    /// All frames in these bytes; `nil` if one is not masked, not whole, or has a length that is not minimal.
    static func read(_ bytes: [UInt8]) -> [Received]? {
        var (frames, at): ([Received], Int) = ([], 0)
        while at < bytes.count {
            guard at + 6 <= bytes.count, bytes[at + 1] & 0x80 != 0 else { return nil }
            var (length, header) = (Int(bytes[at + 1] & 0x7F), 2)
            if length >= 126 {
                let size = length == 126 ? 2 : 8
                guard at + 2 + size <= bytes.count else { return nil }
                length = bytes[(at + 2)..<(at + 2 + size)].reduce(0) { $0 * 256 + Int($1) }
                guard length > (size == 2 ? 125 : 65535) else { return nil }
                header += size
            }
            let start = at + header + 4
            guard start + length <= bytes.count else { return nil }
            let mask = Array(bytes[(at + header)..<start])
            let payload = (0..<length).map { bytes[start + $0] ^ mask[$0 % 4] }
            let (first, reserved) = (bytes[at], bytes[at] >> 4 & 7)
            frames.append(
                Received(
                    opcode: first & 15,
                    reserved: reserved,
                    isLast: first & 0x80 != 0,
                    payload: payload,
                    mask: mask
                )
            )
            at = start + length
        }
        return frames
    }
}
