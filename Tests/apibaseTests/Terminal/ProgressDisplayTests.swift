import APIBaseKit
import Basics
import Testing

@testable import apibase

@Suite struct ProgressDisplayTests {
    private let start = ContinuousClock.now

    @Test func `ProgressDisplay redraws its bars in place, but not within 100 ms of the last redraw`() {
        let written = Written()
        let display = ProgressDisplay(on: written.channel(.make(50, hasColors: false)))
        let (one, two) = (display.add("one", at: start), display.add("two", at: start))
        display.update(one, done: 50, total: 100, at: start + .seconds(1))
        #expect(written.text.split(separator: "\n").map { $0.prefix(3) } == ["one", "two"])
        #expect(written.text.split(separator: "\n").allSatisfy { $0.count == 49 })

        let first = written.bytes.count
        display.update(two, done: 10, total: 100, at: start + .seconds(1.05))
        #expect(written.bytes.count == first, "too soon")

        display.end(one, at: start + .seconds(2))
        let rest = String(decoding: written.bytes.dropFirst(first), as: UTF8.self)
        #expect(rest.hasPrefix("\u{1B}[2F\u{1B}[Jone: 50 B in 0:02\ntwo"))
        let second = written.bytes.count
        display.end(two, isComplete: false, at: start + .seconds(3))
        #expect(String(decoding: written.bytes.dropFirst(second), as: UTF8.self) == "\u{1B}[1F\u{1B}[J")
    }

    @Test func `Each redraw of a progress bar uses the current width of the terminal`() {
        let width = Locked(60)
        let written = Written()
        let terminal = Terminal(hasColors: false) { width.withLock { $0 } }
        let display = ProgressDisplay(on: written.channel(terminal))
        let bar = display.add("one", at: start)
        display.update(bar, done: 1, total: 2, at: start + .seconds(1))
        width.withLock { $0 = 120 }
        display.update(bar, done: 2, total: 2, at: start + .seconds(2))
        let lines = written.text.replacing("\u{1B}[1F\u{1B}[J", with: "").split(separator: "\n")
        #expect(lines.map(\.count) == [59, 119])
    }

    @Test func `A line printed during a transfer appears above the progress bars`() {
        let written = Written()
        let display = ProgressDisplay(on: written.channel(.make(50, hasColors: false)))
        let bar = display.add("one", at: start)
        display.update(bar, done: 50, total: 100, at: start + .seconds(1))
        let first = written.bytes.count
        display.above.line("a line")
        let rest = String(decoding: written.bytes.dropFirst(first), as: UTF8.self)
        #expect(rest.hasPrefix("\u{1B}[1F\u{1B}[Ja line\none "))
        let plain = Written()
        ProgressDisplay(on: plain.channel()).above.line("a line")
        #expect(plain.text == "a line\n")
    }

    @Test func `ProgressDisplay without a terminal prints progress every ten seconds and when a transfer ends`() {
        let written = Written()
        let display = ProgressDisplay(on: written.channel())
        let (one, two) = (display.add("one", at: start), display.add("two", at: start))
        for second in 1...15 {
            display.update(one, done: Int64(second * 10), total: 150, at: start + .seconds(second))
            display.update(two, done: Int64(second), total: nil, at: start + .seconds(second))
        }
        display.end(one, at: start + .seconds(16))
        display.end(two, isComplete: false, at: start + .seconds(16))
        #expect(written.text == "one: 100 B of 150 B, 10 B/s\ntwo: 10 B, 1 B/s\none: 150 B in 0:16\n")
    }
}
