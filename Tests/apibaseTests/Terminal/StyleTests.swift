import Testing

@testable import apibase

@Suite struct StyleTests {
    @Test func `Style adds color codes only if colors are on and the text is not empty`() {
        #expect(Style.plain.text("a", as: .bad) == "a")
        #expect(Style(hasColors: true).text("a", as: .bad) == "\u{1B}[31ma\u{1B}[0m")
        #expect(Style(hasColors: true).text("", as: .bad).isEmpty)
    }
}
