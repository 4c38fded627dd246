import APIBaseKit
import Testing

@testable import apibase

@Suite struct QuantityTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_549, "1.5 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
        (12_345_678, "12.3 MB"), (Int64.max, "9.2 EB"),
    ])
    func bytesHaveAUnit(count: Int64, text: String) {
        #expect(Quantity.bytes(count) == text)
    }

    @Test(arguments: [
        (Duration.zero, "0:00"), (.milliseconds(1), "0:01"), (.seconds(59), "0:59"), (.seconds(60), "1:00"),
        (.seconds(3_599), "59:59"), (.seconds(3_661), "1:01:01"), (.seconds(360_000), "--:--"), (.seconds(-1), "0:00"),
    ])
    func secondsAreThoseOfAClock(duration: Duration, text: String) {
        #expect(Quantity.seconds(duration) == text)
    }

    @Test func noTimeIsDashes() {
        #expect(Quantity.seconds(nil) == "--:--")
    }
}
