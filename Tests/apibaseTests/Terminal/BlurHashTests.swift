import APIBaseKit
import Testing

@testable import apibase

@Suite struct BlurHashTests {
    private func pixels(_ text: String, _ width: Int, _ height: Int) throws -> [[[UInt8]]] {
        try #require(BlurHash(text)).picture(width: width, height: height).rows
            .map { row in row.map { [$0.red, $0.green, $0.blue] } }
    }

    /// One component is the mean color: 0x00FF80 is 65408, which is 9 · 83² + 41 · 83 + 4, and those are `09f4`.
    @Test(
        arguments: [("09f4", [0, 255, 128]), ("TSUA", [255, 255, 255]), ("0000", [0, 0, 0])] as [(String, [UInt8])]
    )
    func `A BlurHash with one color component decodes to the same color in all pixels`(digits: String, color: [UInt8])
        throws
    {
        #expect(try pixels("00\(digits)", 3, 2) == [[color, color, color], [color, color, color]])
    }

    /// Two components across two pixels: cos 0 = 1 and cos π/2 = 0. The second is the mean, 128. The first has the wave
    /// on it: +1, 0 and -1 (18, 9 and 0 of 18), each times (82 + 1) / 166 = 0.5. Light of 128 is 0.2159; with 0.5 more
    /// it is 220.
    @Test func `A BlurHash with two components adds their colors in linear light, not in sRGB values`() throws {
        #expect(try pixels("1~Eyb[|T", 2, 1) == [[[220, 128, 0], [128, 128, 128]]])
    }

    /// The example of the reference. The numbers were computed from the definition, in another language.
    @Test func `A BlurHash with 4 by 3 components decodes to the pixels computed from its definition`() throws {
        let expected: [[[Int]]] = [
            [[152, 160, 170], [174, 180, 185], [182, 184, 194], [130, 134, 151]],
            [[88, 93, 103], [79, 90, 104], [156, 163, 180], [161, 166, 177]],
        ]
        let pixels = try pixels("LKFiiZxu4m%N-;R%D%s;xu~qtSD%", 4, 2)
        #expect(pixels.map { $0.map { $0.map(Int.init) } } == expected)
    }

    @Test(arguments: [
        "", "0", "00", "00000", "0000000", "00~~~~", "00000é", "000 00", "~~0000", "1~Eyb[|",
        "LKFiiZxu4m%N-;R%D%s;xu~qtSD",
        "00\"000",
    ])
    func `The BlurHash initializer returns nil for text of a wrong length or with invalid characters`(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test func `A BlurHash picture with width or height 0 has no pixels`() throws {
        #expect(try pixels("0009f4", 0, 0).isEmpty)
        #expect(try #require(BlurHash("0009f4")).picture(width: 0, height: 1).lines == ["\u{1B}[0m"])
    }
}

@Suite struct PictureTests {
    private let red = Picture.Pixel(red: 255, green: 0, blue: 0)
    private let blue = Picture.Pixel(red: 0, green: 0, blue: 255)

    @Test func `Two rows of picture pixels are drawn as one terminal line of half block characters`() {
        let picture = Picture(rows: [[red, red, blue], [blue, blue, blue]])
        #expect(
            picture.lines == ["\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[38;2;0;0;255;48;2;0;0;255m▀\u{1B}[0m"]
        )
    }

    @Test func `The last row of a picture with an odd number of rows fills a whole terminal line`() {
        #expect(
            Picture(rows: [[red], [red], [blue]]).lines == [
                "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀\u{1B}[0m", "\u{1B}[38;2;0;0;255;48;2;0;0;255m▀\u{1B}[0m",
            ]
        )
        #expect(Picture(rows: []).lines.isEmpty)
    }
}
