import APIBaseKit
import HostileServer

/// Redirects, status codes, limits, caches, changes and what is sent.
extension HabitsTests {
    /// A redirect to this place, and the answer there.
    private static func redirect(_ status: String, _ location: String...) -> Answer {
        let lines = ["HTTP/1.1 \(status)"] + location.map { "Location: \($0)" } + ["Content-Length: 0"]
        return Answer(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    private static func target(of visit: Visit) async throws -> String {
        _ = try await visit.json()
        return visit.server.requests.last?.target ?? ""
    }

    static let redirects: [Habit] = [
        Habit("A relative `Location`", redirect("302 Found", "../y?b=c"), .json(), gives: "/y?b=c", by: target),
        Habit(
            "Spaces, quotes or umlauts in `Location`",
            redirect("302 Found", "/a b\"é"),
            .json(),
            gives: "/a%20b%22%C3%A9",
            by: target
        ),
        Habit(
            "A fragment in `Location`",
            redirect("301 Moved Permanently", "/y#part"),
            .json(),
            gives: "/y",
            by: target
        ),
        Habit("The same `Location` twice", redirect("302 Found", "/y", "/y"), .json(), gives: "/y", by: target),
        Habit(
            "Two different `Location`s",
            redirect("302 Found", "/y", "/z"),
            .json(),
            gives: "error: There are two different Location headers",
            by: target
        ),
        Habit(
            "A redirect without `Location`, or with an empty one",
            redirect("302 Found"),
            .json(),
            gives: "error: has status 302"
        ),
        Habit(
            "300 or 305 with `Location`",
            redirect("300 Multiple Choices", "/y"),
            .json(),
            gives: "error: has status 300"
        ),
        Habit(
            "301 or 302 after `POST`",
            redirect("302 Found", "/y"),
            .json(),
            gives: "GET /y ",
            by: { try await $0.post() }
        ),
        Habit(
            "303 after `POST`",
            redirect("303 See Other", "/y"),
            .json(),
            gives: "GET /y ",
            by: { try await $0.post() }
        ),
        Habit(
            "307 or 308 after `POST`",
            redirect("308 Permanent Redirect", "/y"),
            .json(),
            gives: "POST /y [1]",
            by: { try await $0.post() }
        ),
        Habit("A redirect to itself", redirect("302 Found", "/x"), gives: "error: redirect"),
        Habit(
            "A redirect to another scheme, such as `ftp` or that of an app",
            redirect("302 Found", "myapp://done"),
            gives: "error: scheme"
        ),
        Habit(
            "A user name in `Location`",
            redirect("302 Found", "//user:secret@127.0.0.1/"),
            gives: "error: user name"
        ),
        Habit("A control character or a backslash in `Location`", redirect("302 Found", "/a\\b"), gives: "error: 0x5c"),
    ]

    static let statuses: [Habit] = [
        Habit("A success other than 200, such as 202 or 299", .json("[1]", status: "299 Odd"), gives: "[1]"),
        Habit("200 with an error in its body", .json(#"{"error":"no"}"#), gives: #"{"error":"no"}"#),
        Habit("A status of two or four digits", "HTTP/1.1 99 Odd\nContent-Length: 0\n\n", gives: "error: HTTP"),
        Habit(
            "A status beyond 599, such as 999",
            .json("{}", status: "999 Request denied"),
            gives: "error: has status 999"
        ),
        Habit("304 without a question", "HTTP/1.1 304 Not Modified\n\n", gives: "error: has status 304"),
        Habit("HTTP/1.0", "HTTP/1.0 200 OK\nContent-Type: application/json\nContent-Length: 3\n\n[1]", gives: "[1]"),
        Habit("No HTTP at all", "SSH-2.0-OpenSSH_9.2\n", gives: "error: HTTP"),
        Habit("The connection is closed without an answer", Answer(bytes: []), gives: "error: connection was lost"),
    ]

    private static func limited(_ headers: String...) -> Answer {
        let lines = ["HTTP/1.1 429 Too Many Requests"] + headers + ["Content-Length: 0"]
        return Answer(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    private static func limit(_ title: String, _ answer: Answer, gives outcome: String) -> Habit {
        Habit(title, answer, gives: outcome) { try await $0.wait() }
    }

    private static let date = "Date: Sun, 06 Nov 1994 08:49:07 GMT"

    static let limits: [Habit] = [
        limit("`Retry-After: 299.997`", limited("Retry-After: 299.997"), gives: "300.0 seconds"),
        limit("`Retry-After: 30s`", limited("Retry-After: 30s"), gives: "30.0 seconds"),
        limit(
            "`Retry-After` with a date in an old form",
            limited(date, "Retry-After: Sunday, 06-Nov-94 08:49:37 GMT"),
            gives: "30.0 seconds"
        ),
        limit(
            "`Retry-After` with `UTC`, an offset or a day of one digit",
            limited(date, "Retry-After: Sun, 6 Nov 1994 08:49:37 UTC"),
            gives: "30.0 seconds"
        ),
        limit(
            "`Retry-After` with a date of RFC 3339",
            limited(date, "Retry-After: 1994-11-06T08:49:37Z"),
            gives: "30.0 seconds"
        ),
        limit("`Retry-After` twice", limited("Retry-After: 2", "Retry-After: 7"), gives: "7.0 seconds"),
        limit(
            "`Retry-After-Ms` or `X-Ms-Retry-After-Ms`",
            limited("Retry-After: 2", "Retry-After-Ms: 1500"),
            gives: "1.5 seconds"
        ),
        limit("A negative `Retry-After`, or words", limited("Retry-After: -1"), gives: "none"),
        limit("`Retry-After` of a hundred years", limited("Retry-After: 3155760000"), gives: "999999999.0 seconds"),
        limit(
            "A date in the past in `Retry-After`",
            limited(date, "Retry-After: Sun, 06 Nov 1994 08:49:00 GMT"),
            gives: "0.0 seconds"
        ),
        Habit(
            "Fields of a rate limit twice",
            limited(
                "X-RateLimit-Remaining: 7",
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: 10",
                "X-RateLimit-Reset: 30"
            ),
            gives: "0, 30.0 seconds"
        ) { visit in
            do { return try await visit.data() } catch RequestError.httpFailure(let failure) {
                return "\(failure.rateLimit?.remaining ?? -1), \(failure.rateLimit?.reset ?? .zero)"
            }
        },
    ]

    private static func cached(_ title: String, _ answers: Answer..., gives outcome: String) -> Habit {
        var habit = Habit(title, gives: outcome) { try await $0.twice() }
        habit.answers = answers
        return habit
    }

    private static let notModified = "HTTP/1.1 304 Not Modified\n"

    static let caching: [Habit] = [
        cached(
            "304 with another `Content-Type`, as PHP sends it",
            .json("[1]", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "Content-Type: text/html\n\n"),
            gives: "[1], [1] by 2"
        ),
        cached(
            "304 with `Content-Length: 0`",
            .json("[1]", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "Content-Length: 0\n\n"),
            gives: "[1], [1] by 2"
        ),
        cached(
            "304 without a validator",
            .json("[1]", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "\n"),
            gives: "[1], [1] by 2"
        ),
        cached(
            "304 with a weak form of the tag",
            .json("[1]", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "ETag: W/\"a\"\n\n"),
            gives: "[1], [1] by 2"
        ),
        cached(
            "304 with another tag",
            .json("[1]", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "ETag: \"b\"\n\n"),
            .json("[2]"),
            gives: "[1], [2] by 3"
        ),
        cached(
            "`ETag` without quotes",
            .json("[1]", "ETag: a", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "ETag: a\n\n"),
            gives: "[1], [1] by 2"
        ),
        cached(
            "The same `ETag` twice",
            .json("[1]", "ETag: \"a\"", "ETag: \"a\"", "Cache-Control: no-cache"),
            Answer(stringLiteral: notModified + "ETag: \"a\"\n\n"),
            gives: "[1], [1] by 2"
        ),
        cached("`Expires: 0`", .json("[1]", "Expires: 0"), .json("[2]"), gives: "[1], [2] by 2"),
        cached(
            "`Expires` with `UTC` in place of `GMT`",
            .json("[1]", "Expires: Fri, 31 Dec 2199 23:59:59 UTC"),
            .json("[2]"),
            gives: "[1], [2] by 2"
        ),
        cached(
            "`max-age` twice, with different numbers",
            .json("[1]", "Cache-Control: max-age=60, max-age=90"),
            .json("[2]"),
            gives: "[1], [2] by 2"
        ),
        cached(
            "`max-age` in quotes or capitals",
            .json("[1]", "Cache-Control: MAX-AGE=\"60\""),
            .json("[2]"),
            gives: "[1], [1] by 1"
        ),
        cached("`Vary: *`", .json("[1]", "Cache-Control: max-age=60", "Vary: *"), .json("[2]"), gives: "[1], [2] by 2"),
        cached(
            "An `Age` that is no number",
            .json("[1]", "Cache-Control: max-age=60", "Age: old"),
            gives: "[1], [1] by 1"
        ),
        cached(
            "A body in an unknown coding, kept in a cache",
            .json("[1]", "Cache-Control: max-age=60", "Content-Encoding: json"),
            gives: "[1], [1] by 1"
        ),
    ]

    private static func update(_ visit: Visit, allowingWeakTags: Bool) async throws -> String {
        let leaf = visit.leaf(JSONLeaf(.get("/x")))
        _ = try await leaf.update(allowingWeakTags: allowingWeakTags) { $0 = [2] }
        return visit.server.requests.last?["If-Match"] ?? "none"
    }

    static let changes: [Habit] = [
        Habit("A weak `ETag` for a change", .json("[1]", "ETag: W/\"1\""), gives: "error: weak") {
            try await update($0, allowingWeakTags: false)
        },
        Habit("Weak tags by rule, as in FHIR and OData", .json("[1]", "ETag: W/\"1\""), gives: "W/\"1\"") {
            try await update($0, allowingWeakTags: true)
        },
        Habit("No `ETag` for a change", .json("[1]"), gives: "error: ETag") {
            try await update($0, allowingWeakTags: true)
        },
        Habit(
            "412 after another one's change",
            .json("[1]", "ETag: \"1\""),
            .head("412 Precondition Failed"),
            .json("[1]", "ETag: \"2\""),
            gives: "\"2\""
        ) { try await update($0, allowingWeakTags: false) },
    ]

    private static func page(_ title: String, _ link: String, gives outcome: String = "[1], [2]") -> Habit {
        Habit(title, .json("[1]", "Link: \(link)"), .json("[2]"), gives: outcome) { visit in
            var pages: [String] = []
            for try await page in visit.leaf(PagedLeaf(.get("/x"))).eachPage() { pages.append(page.description) }
            return pages.joined(separator: ", ")
        }
    }

    static let pages: [Habit] = [
        page("`rel='next'`, with curly quotes, or without the last quote", "</y>; rel='next'"),
        page("A URL without brackets, `https://host/list?page=2; rel=\"next\"`", "/y; rel=\"next\""),
        page("No semicolon before `rel`, or a comma in its place", "</y> rel=\"next\""),
        page("Blanks inside the brackets", "<  /y  >; rel=next"),
        page("`<` inside the brackets", "</y?a<b>; rel=next"),
        page("`anchor` with the URL of the list itself, with any query", "</y>; rel=next; anchor=\"/x?a\""),
        page("`anchor` with another URL", "</y>; rel=next; anchor=\"/z\"", gives: "[1]"),
        page("Broken links beside a good one", "junk, </a; rel=prev, </y>; rel=next"),
        page("`<>; rel=\"next\"`, or no end bracket", "</y; rel=next", gives: "error: Its link is malformed"),
        page("`rel=\"prev\"; rel=\"next\"` in one link", "</y>; rel=prev; rel=next", gives: "error: cannot be read"),
        page("No link with `rel=\"next\"`", "</y>; rel=prev", gives: "[1]"),
        page("A next page that was fetched before", "</x>; rel=next", gives: "[1]"),
        page("A next page of another scheme, host or port", "<http://x.example/>; rel=next", gives: "error: origin"),
    ]

    static let requests: [Habit] = [
        Habit("415 to a `POST` without a body that names a type", .json(), gives: "POST, 0, none") { visit in
            _ = try await visit.post { _ in }
            let sent = visit.server.requests.last
            return "\(sent?.method ?? ""), \(sent?["Content-Length"] ?? "none"), \(sent?["Content-Type"] ?? "none")"
        },
        Habit("A form as the type of a body that names none", .json(), gives: "application/octet-stream") { visit in
            let leaf = visit.leaf(DataLeaf(.post("/x", content: .data(Data([1])))))
            leaf.contentType = nil
            _ = try await leaf.value()
            return visit.server.requests.last?["Content-Type"] ?? "none"
        },
        Habit("417, or a wait, for `Expect: 100-continue`", .json(), gives: "none") { visit in
            _ = try await visit.post { $0.body = Data(count: 2 << 20) }
            return visit.server.requests.last?["Expect"] ?? "none"
        },
    ]
}
