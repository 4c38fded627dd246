import APIBaseKit
import Testing

@testable import apibase

@Suite struct TimingsChartTests {
    @Test func `Each bar in the --timings chart starts where the bar of the previous phase ends`() {
        let chart = TimingsChart(
            phases: [
                ("look-up", .milliseconds(10)), ("connect", .milliseconds(10)), ("TLS", nil),
                ("first byte", .milliseconds(40)), ("body", .milliseconds(20)),
            ],
            whole: .milliseconds(91)
        )
        #expect(
            chart.lines(width: 40) == [
                "look-up         10.0 ms ██", "connect         10.0 ms   ██", "first byte      40.0 ms     ████████",
                "body            20.0 ms             ████", "whole           91.0 ms",
            ]
        )
        #expect(chart.lines(width: 40, style: Style(hasColors: true))[0].hasSuffix("\u{1B}[36m██\u{1B}[0m"))
    }

    @Test func `The lines of the --timings chart are not wider than the terminal`() {
        let chart = TimingsChart(
            phases: [("look-up", .zero), ("first byte", .seconds(100_000)), ("body", .nanoseconds(1))],
            whole: .seconds(100_000)
        )
        for width in Terminal.widths {
            #expect(chart.lines(width: width).allSatisfy { $0.columns <= width }, "\(width)")
        }
    }

    @Test func `The --timings chart of a call without phases shows only the total time`() {
        #expect(TimingsChart(phases: [("TLS", nil)], whole: .zero).lines(width: 80) == ["whole            0.0 ms"])
        #expect(
            TimingsChart(phases: [("TLS", .zero)], whole: .zero).lines(width: 80).first == "TLS              0.0 ms "
        )
    }
}
