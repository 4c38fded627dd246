/// A small picture: rows of pixels.
struct Picture: Sendable {
    /// Red, green and blue, from 0 to 255 each, in sRGB.
    struct Pixel: Sendable, Hashable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        fileprivate var code: String { "\(red);\(green);\(blue)" }
    }

    let rows: [[Pixel]]

    /// The picture in half blocks: two rows of pixels in a line, above in the colour of the text, below in that of its
    /// background, in 24 bits each (ISO 8613-6). The last of an odd number of rows has itself below.
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
