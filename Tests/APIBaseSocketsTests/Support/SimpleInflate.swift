/// Decompresses DEFLATE (RFC 1951) bit by bit, and remembers how far back it refers: slow, and independent of zlib.
struct SimpleInflate {
    /// All bytes so far; those of later messages may refer to them.
    private(set) var output: [UInt8] = []
    private(set) var farthest = 0

    private struct Bits {
        let bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) -> Int? {
            guard position + count <= bytes.count * 8 else { return nil }
            var value = 0
            for index in 0..<count {
                value |= Int(bytes[(position + index) / 8] >> ((position + index) % 8) & 1) << index
            }
            position += count
            return value
        }
    }

    /// The symbol for each code, by its length and value (section 3.2.2).
    private struct Code {
        private var symbols: [Int: Int] = [:]

        init(_ lengths: [Int]) {
            var next = 0
            for length in 1...15 {
                next <<= 1
                for (symbol, own) in lengths.enumerated() where own == length {
                    symbols[length << 16 | next] = symbol
                    next += 1
                }
            }
        }

        func read(_ bits: inout Bits) -> Int? {
            var value = 0
            for length in 1...15 {
                guard let bit = bits.take(1) else { return nil }
                value = value << 1 | bit
                if let symbol = symbols[length << 16 | value] { return symbol }
            }
            return nil
        }
    }

    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The bytes of a message as RFC 7692 sends it, without its end; `nil` if they are not valid.
    mutating func message(_ compressed: [UInt8]) -> [UInt8]? {
        var bits = Bits(bytes: compressed + [0, 0, 0xFF, 0xFF])
        let start = output.count
        while bits.take(1) != nil, let type = bits.take(2) {
            switch type {
            case 0:
                bits.position = (bits.position + 7) / 8 * 8
                guard let length = bits.take(16), let inverse = bits.take(16), length ^ inverse == 0xFFFF else {
                    return nil
                }
                for _ in 0..<length { output.append(UInt8(bits.take(8) ?? 0)) }
            case 1:
                let fixed = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                guard block(&bits, Code(fixed), Code([Int](repeating: 5, count: 30))) else { return nil }
            case 2:
                guard let (literals, distances) = codes(&bits), block(&bits, literals, distances) else { return nil }
            default: return nil
            }
        }
        return Array(output[start...])
    }

    private func codes(_ bits: inout Bits) -> (Code, Code)? {
        guard let literals = bits.take(5), let distances = bits.take(5), let count = bits.take(4) else { return nil }
        var own = [Int](repeating: 0, count: 19)
        for index in 0..<(count + 4) { own[Self.order[index]] = bits.take(3) ?? 0 }
        let code = Code(own)
        var lengths: [Int] = []
        while lengths.count < literals + 257 + distances + 1 {
            guard let symbol = code.read(&bits) else { return nil }
            switch symbol {
            case 16: lengths += [Int](repeating: lengths.last ?? 0, count: 3 + (bits.take(2) ?? 0))
            case 17: lengths += [Int](repeating: 0, count: 3 + (bits.take(3) ?? 0))
            case 18: lengths += [Int](repeating: 0, count: 11 + (bits.take(7) ?? 0))
            default: lengths.append(symbol)
            }
        }
        return (Code(Array(lengths.prefix(literals + 257))), Code(Array(lengths.dropFirst(literals + 257))))
    }

    private mutating func block(_ bits: inout Bits, _ literals: Code, _ distances: Code) -> Bool {
        while let symbol = literals.read(&bits) {
            if symbol == 256 { return true }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            let index = symbol - 257
            let extra = index < 8 || index == 28 ? 0 : index / 4 - 1
            guard index < 29, let more = bits.take(extra), let code = distances.read(&bits), code < 30,
                let distanceMore = bits.take(code < 4 ? 0 : code / 2 - 1)
            else { return false }
            let base = code < 4 ? code + 1 : (2 + code % 2) << (code / 2 - 1) + 1
            let distance = base + distanceMore
            guard distance <= output.count else { return false }
            farthest = max(farthest, distance)
            for _ in 0..<(Self.lengths[index] + more) { output.append(output[output.count - distance]) }
        }
        return false
    }
}
