import APIBaseKit

/// A BlurHash (blurha.sh): a very small image, as the first components of a cosine transform in base 83.
struct BlurHash {
    private typealias Color = SIMD3<Double>

    private let columns: Int
    private let rows: Int
    private let components: [Color]

    init?(_ text: String) {
        let digits = text.unicodeScalars.compactMap { Self.alphabet[$0] }
        guard digits.count == text.unicodeScalars.count, let size = digits.first, size < 81 else { return nil }
        (columns, rows) = (size % 9 + 1, size / 9 + 1)
        guard digits.count == 4 + 2 * columns * rows else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 83 + $1 } }
        let mean = number(2..<6)
        guard mean <= 0xFF_FFFF else { return nil }
        let amplitude = Double(digits[1] + 1) / 166
        let others = stride(from: 6, to: digits.count, by: 2).map { index in
            let value = number(index..<index + 2)
            return Color([value / 361, value / 19 % 19, value % 19].map(Self.signedSquare)) * amplitude
        }
        components = [Color([mean >> 16, mean >> 8 & 255, mean & 255].map(Self.linear))] + others
    }

    func picture(width: Int, height: Int) -> Picture {
        let across = Self.cosines(columns, over: width)
        let down = Self.cosines(rows, over: height)
        return Picture(
            rows: down.map { down in
                across.map { across in
                    var sum = Color.zero
                    for (index, component) in components.enumerated() {
                        sum += component * (across[index % columns] * down[index / columns])
                    }
                    return Picture.Pixel(red: Self.byte(sum.x), green: Self.byte(sum.y), blue: Self.byte(sum.z))
                }
            }
        )
    }

    private static func cosines(_ count: Int, over pixels: Int) -> [[Double]] {
        (0..<pixels).map { pixel in (0..<count).map { cos(.pi * Double($0 * pixel) / Double(pixels)) } }
    }

    /// A number from 0 to 18 as a factor from -1 to 1.
    private static func signedSquare(_ number: Int) -> Double {
        let value = (Double(number) - 9) / 9
        return value * abs(value)
    }

    /// A value of sRGB in linear light (IEC 61966-2-1).
    private static func linear(_ byte: Int) -> Double {
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func byte(_ light: Double) -> UInt8 {
        let light = min(max(light, 0), 1)
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }

    private static let alphabet: [Unicode.Scalar: Int] = Dictionary(
        uniqueKeysWithValues: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
            .unicodeScalars.enumerated().map { ($1, $0) }
    )
}

struct Picture: Sendable {
    struct Pixel: Sendable, Hashable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        fileprivate var code: String { "\(red);\(green);\(blue)" }
    }

    let rows: [[Pixel]]

    /// The image in half blocks: each line shows two rows, the upper one in the color of the text, the lower one in the
    /// background color, in 24 bits (ISO 8613-6). If the number of rows is odd, the last row is shown twice.
    var lines: [String] {
        stride(from: 0, to: rows.count, by: 2).map { index in
            var (line, last) = ("", "")
            for (above, below) in zip(rows[index], rows[min(index + 1, rows.count - 1)]) {
                let code = "\u{1B}[38;2;\(above.code);48;2;\(below.code)m"
                line += (code == last ? "" : code) + "▀"
                last = code
            }
            return line + "\u{1B}[0m"
        }
    }
}
