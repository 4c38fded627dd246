import Testing

@testable import apibase

@Suite struct TerminalTests {
    @Test func withoutColorsATextIsItself() {
        #expect(Style.plain.text("a", as: .bad) == "a")
        #expect(Style(hasColors: true).text("a", as: .bad) == "\u{1B}[31ma\u{1B}[0m")
        #expect(Style(hasColors: true).text("", as: .bad).isEmpty)
    }
}
