import APIBaseKit
import Foundation
import Testing

@testable import APIBaseCache

@Suite struct FreshnessTests {
    typealias Rule = FreshnessRule

    private static let date = CacheScene.date

    /// All replies are received at 08:49:37.
    @Test(arguments: [
        Rule("4.2.3: nothing but Date", ["Date": date], 0),
        Rule("4.2.3: the time since it was received", ["Date": date], 7, later: 7),
        Rule("4.2.3: the time since its Date", ["Date": "Sun, 06 Nov 1994 08:49:07 GMT"], 37, later: 7),
        Rule("4.2.3: a Date ahead is no age", ["Date": "Sun, 06 Nov 1994 08:50:37 GMT"], 7, later: 7),
        Rule("4.2.3: its Age", ["Date": date, "Age": "100"], 107, later: 7),
        Rule(
            "4.2.3: the time it took is added to its Age",
            ["Date": date, "Age": "100"],
            110,
            tookSeconds: 3,
            later: 7
        ),
        Rule("4.2.3: the time it took counts without Age", ["Date": date], 10, tookSeconds: 3, later: 7),
        Rule("4.2.3: a request that came after its reply took no time", ["Date": date], 7, tookSeconds: -3, later: 7),
        Rule("4.2.3: the larger of Age and Date", ["Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "10"], 30),
        Rule("4.2.3: the larger of Date and Age", ["Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "40"], 40),
        Rule("4.2.3: without Date, when it was received", [:], 7, later: 7),
        Rule("4.2.3: a Date that is none", ["Date": "yesterday"], 7, later: 7),
        Rule("4.2.3: a clock that was turned back", ["Date": date, "Age": "5"], 5, later: -100),
        Rule("5.1: the first Age of a list", ["Date": date, "Age": "10, 20"], 10),
        Rule("5.1: the first Age of two", ["Date": date, "Age": "10", "age": "20"], 10),
        Rule("5.1: a negative Age is ignored", ["Date": date, "Age": "-10"], 0),
        Rule("5.1: an Age with a fraction is ignored", ["Date": date, "Age": "10.5"], 0),
        Rule("5.1: an Age that is no number is ignored", ["Date": date, "Age": "old"], 0),
        Rule("5.1: an empty first Age is ignored", ["Date": date, "Age": ", 10"], 0),
        Rule("1.2.2: the largest Age", ["Date": date, "Age": "99999999999"], 2_147_483_648),
    ])
    func `The age of a response is computed from Date, Age and transfer time (RFC 9111, 4.2.3)`(rule: Rule) {
        #expect(rule.freshness.age == rule.seconds)
    }

    @Test(arguments: [
        Rule("4.2.1: max-age", ["Cache-Control": "max-age=60"], 60),
        Rule("4.2.1: max-age comes before Expires", ["Cache-Control": "max-age=60", "Expires": "0"], 60),
        Rule("4.2.1: Expires minus Date", ["Date": date, "Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
        Rule(
            "4.2.1: by the clock of the server",
            ["Date": "Sun, 06 Nov 1994 07:49:37 GMT", "Expires": "Sun, 06 Nov 1994 07:50:37 GMT"],
            60
        ),
        Rule("4.2.1: Expires without Date", ["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60),
        Rule("4.2.1: Expires in the old form", ["Date": date, "Expires": "Sunday, 06-Nov-94 08:50:37 GMT"], 60),
        Rule("4.2.1: Expires in the past", ["Date": date, "Expires": "Sun, 06 Nov 1994 08:48:37 GMT"], 0),
        Rule("4.2.1: two Expires that differ", ["Expires": "Sun, 06 Nov 1995 08:49:37 GMT", "expires": date], 0),
        Rule("4.2.1: Expires after a wrong max-age", ["Cache-Control": "max-age=x", "Expires": "2099"], 0),
        Rule(
            "5.3: Expires of 0 is in the past",
            ["Expires": "0", "Last-Modified": "Sun, 06 Nov 1993 08:49:37 GMT"],
            0
        ),
        Rule(
            "5.3: an empty Expires is in the past",
            ["Expires": "", "Last-Modified": "Sun, 06 Nov 1993 08:49:37 GMT"],
            0
        ),
        Rule("5.2.2.10: s-maxage is for shared caches", ["Cache-Control": "s-maxage=60"], 0),
        Rule("4.2.2: nothing is said", [:], 0),
        Rule("4.2.2: a tenth of the time it stayed the same", ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"], 60),
        Rule("4.2.2: a day at most", ["Last-Modified": "Sun, 06 Nov 1983 08:49:37 GMT"], 86400),
        Rule("4.2.2: a change ahead", ["Last-Modified": "Sun, 06 Nov 1995 08:49:37 GMT"], 0),
        Rule("4.2.2: a change that is no date", ["Last-Modified": "lately"], 0),
        Rule(
            "4.2.2: not beside max-age",
            ["Cache-Control": "max-age=0", "Last-Modified": "Sun, 06 Nov 1983 08:49:37 GMT"],
            0
        ),
        Rule("4.2.2: a 404", ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"], 60, status: 404),
        Rule("4.2.2: not a 302", ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"], 0, status: 302),
        Rule(
            "4.2.2: a 302 that is public",
            ["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT", "Cache-Control": "public"],
            60,
            status: 302
        ),
    ])
    func `A response's lifetime comes from max-age, else Expires, else Last-Modified (RFC 9111, 4.2)`(rule: Rule) {
        #expect(rule.freshness.lifetime == rule.seconds)
    }

    @Test(arguments: [(59.9, true), (60, false), (60.1, false)])
    func `A response with max-age=60 is stale when its age reaches 60 seconds`(later: TimeInterval, isFresh: Bool) {
        let rule = Rule("4.2", ["Cache-Control": "max-age=60"], 60, later: later)
        #expect(rule.freshness.isFresh == isFresh)
    }
}
