import Testing

@testable import apibase

@Suite struct PictureTests {
    private let red = Picture.Pixel(red: 255, green: 0, blue: 0)
    private let blue = Picture.Pixel(red: 0, green: 0, blue: 255)

    @Test func twoRowsAreALine() {
        let picture = Picture(rows: [[red, red, blue], [blue, blue, blue]])
        #expect(
            picture.lines == ["\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[38;2;0;0;255;48;2;0;0;255m▀\u{1B}[0m"]
        )
    }

    @Test func aLastRowHasItselfBelow() {
        #expect(
            Picture(rows: [[red], [red], [blue]]).lines == [
                "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀\u{1B}[0m", "\u{1B}[38;2;0;0;255;48;2;0;0;255m▀\u{1B}[0m",
            ]
        )
        #expect(Picture(rows: []).lines.isEmpty)
    }
}
