import APIBaseKit
import Testing

@testable import apibase

@Suite struct ProgressBarTests {
    private let start = ContinuousClock.now

    private func bar(
        _ updates: [(second: Double, done: Int64)],
        total: Int64?,
        name: String = "photo.jpg"
    ) -> ProgressBar {
        var bar = ProgressBar(name, at: start)
        for update in updates { bar.update(done: update.done, total: total, at: start + .seconds(update.second)) }
        return bar
    }

    @Test func `ProgressBar shows the name, bar, percentage, bytes, speed and time left of a transfer`() {
        let bar = bar([(1, 1_000_000), (2, 2_000_000)], total: 8_000_000)
        #expect(
            bar.line(width: 80) == "photo.jpg ███████▎·····················   25 %  2.0 MB of 8.0 MB  1.0 MB/s  0:06"
        )
        #expect(bar.text == "photo.jpg: 2.0 MB of 8.0 MB, 1.0 MB/s")
        #expect(bar.ending(at: start + .seconds(61)) == "photo.jpg: 2.0 MB in 1:01")
    }

    @Test func `The speed of a resumed transfer does not include the bytes from before`() {
        var bar = ProgressBar("a", at: start)
        bar.begin(from: 1_000_000, at: start + .seconds(1))
        bar.update(done: 1_500_000, total: 2_000_000, at: start + .seconds(2))
        #expect(bar.speed == 500_000)
        #expect(bar.fraction == 0.75)
        #expect(bar.ending(at: start + .seconds(3)) == "a: 1.5 MB, 500.0 kB of it now, in 0:03")
        bar.begin(from: 0, at: start + .seconds(4))
        bar.update(done: 10, total: 10, at: start + .seconds(5))
        #expect(bar.ending(at: start + .seconds(5)) == "a: 10 B in 0:05")
    }

    @Test func `A ProgressBar line is exactly as wide as the terminal`() {
        let names = ["a", "photo.jpg", "漢字漢字漢字漢字漢字漢字漢字漢字.txt", String(repeating: "long name ", count: 40)]
        for width in [39, 40, 41, 60, 79, 80, 100, 119, 160, 199, 200] {
            for name in names {
                for done in [0, 1, 999, 999_999, 5_000_000_000_000, Int64.max] {
                    for total in [nil, 0, done, 6_000_000_000_000, Int64.max] {
                        let line = bar([(3, done)], total: total, name: name).line(width: width)
                        #expect(line.columns == width, "\(width): \(line)")
                    }
                }
            }
        }
    }

    @Test func `ProgressBar drops the speed first and then the bytes if the terminal is narrow`() {
        let bar = bar([(1, 1_000_000), (2, 2_000_000)], total: 8_000_000)
        #expect(bar.line(width: 60).hasSuffix(" 25 %  2.0 MB of 8.0 MB"))
        #expect(bar.line(width: 40).hasSuffix(" 25 %  2.0 MB of 8.0 MB"))
        #expect(bar.line(width: 36).hasSuffix(" ████▊··············   25 %"))
    }

    @Test func `ProgressBar measures the speed over the last seconds, not over the whole transfer`() {
        // A million in the first second, then a thousand in each.
        let later: [(Double, Int64)] = (2...20).map { (Double($0), 1_000_000 + Int64($0 - 1) * 1_000) }
        let updates: [(second: Double, done: Int64)] = [(1, 1_000_000)] + later.map { (second: $0, done: $1) }
        let bar = bar(updates, total: 1_040_000)
        #expect(bar.speed == 1_000)
        #expect(bar.timeLeft == .seconds(21))
    }

    @Test func `ProgressBar shows the average speed of 10,000 small updates`() {
        let updates = (1...10_000).map { (second: Double($0) / 1_000, done: Int64($0)) }
        let speed = bar(updates, total: nil).speed ?? 0
        #expect(abs(speed - 1_000) < 1)
    }

    @Test func `A progress bar with an unknown total shows no percentage and no time left`() {
        let unknown = bar([(1, 500)], total: -1)
        #expect(unknown.fraction == nil)
        #expect(unknown.timeLeft == nil)
        #expect(!unknown.line(width: 80).contains("%"))
        #expect(unknown.text == "photo.jpg: 500 B, 500 B/s")
        let idle = bar([], total: nil)
        #expect(idle.speed == nil)
        #expect(bar([(1, 0)], total: 10).timeLeft == nil)
    }

    @Test func `ProgressBar shows a transfer of zero bytes, or of more than its total, as complete`() {
        #expect(bar([(1, 0)], total: 0).fraction == 1)
        #expect(bar([(1, 20)], total: 10).fraction == 1)
    }

    @Test func `Control characters in the name of a progress bar are escaped`() {
        #expect(bar([(1, 1)], total: 1, name: "a\u{1B}[2J").text.hasPrefix("a\\u001B[2J: "))
    }
}
