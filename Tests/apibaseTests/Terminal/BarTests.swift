import Testing

@testable import apibase

@Suite struct BarTests {
    @Test(arguments: [
        (0, 1, "████████"), (0, 0.5, "████"), (0, 0.0625, "▌"), (0, 0.0001, "▏"), (0, 0, ""), (0.5, 1, "    ████"),
        (0.5, 0.75, "    ██"), (0.999, 1, "       █"), (1, 1, ""), (0.5, 0.25, ""), (-1, 2, "████████"),
        (0, .infinity, "████████"), (0, .nan, ""),
    ])
    func anEighthOfAColumnIsTheLeast(start: Double, end: Double, expected: String) {
        #expect(Bar.text(from: start, to: end, width: 8) == expected)
    }

    @Test func itIsNeverWiderThanItMayBe() {
        for width in 0...50 {
            for step in 0...100 {
                let text = Bar.text(from: Double(step) / 200, to: Double(step) / 100, width: width)
                #expect(text.count <= width, "\(width) \(step)")
            }
        }
    }
}
