import APIBaseKit

/// Bodies, their types, codings and charsets.
extension HabitsTests {
    static let bodies: [Habit] = [
        Habit(
            "JSON with the type `text/plain`, or `text/html`",
            .head("200 OK", "Content-Type: text/plain", body: "1"),
            gives: "error: is of type “text/plain” where"
        ),
        Habit(
            "JSON with the type `text/json`",
            .head("200 OK", "Content-Type: text/json", body: "[1]"),
            gives: "[1]"
        ),
        Habit(
            "JSON without a `Content-Type`",
            .head("200 OK", body: #"{"a":1}"#),
            gives: "error: names no content type where"
        ),
        Habit(
            "A type with a suffix, `application/vnd.api+json`",
            .head("200 OK", "Content-Type: application/vnd.api+json", body: #"{"a":1}"#),
            gives: #"{"a":1}"#
        ),
        Habit(
            "A type in capitals, with parameters",
            .head("200 OK", "Content-Type: APPLICATION/JSON ;Charset=UTF-8;v=1", body: "[]"),
            gives: "[]"
        ),
        Habit(
            "A blank or a comma before `charset`, in place of the semicolon",
            .head("200 OK", "Content-Type: application/json charset=utf-8", body: "[1]"),
            gives: "[1]"
        ),
        Habit(
            "An empty `Content-Type` beside another one",
            .head("200 OK", "Content-Type: ", "Content-Type: application/json", body: "[1]"),
            gives: "[1]"
        ),
        Habit(
            "The same `Content-Type` twice",
            .head("200 OK", "Content-Type: application/json", "Content-Type: Application/JSON", body: "[1]"),
            gives: "[1]"
        ),
        Habit(
            "Two different types, with parameters or without",
            .head("200 OK", "Content-Type: application/json; charset=utf-8", "Content-Type: text/html", body: "[1]"),
            gives: "error: type “application/json; charset=utf-8, text/html”"
        ),
        Habit("JSON with a byte order mark", .json("\u{FEFF}[1]"), gives: "[1]"),
        Habit("JSON in UTF-16", .body([0, 0x5B, 0, 0x31, 0, 0x5D]), gives: "[1]"),
        Habit("JSON in UTF-16 that ends inside a unit", .body([0, 0x32, 0, 0x31, 0]), gives: "error: JSON"),
        Habit(
            "JSON in UTF-8 that says `charset=iso-8859-1`",
            .head("200 OK", "Content-Type: application/json; charset=iso-8859-1", body: #""é""#),
            gives: #""é""#
        ),
        Habit("Two members with the same name", .json(#"{"a":1,"a":2}"#), gives: #"{"a":1}"#),
        Habit(
            "Two names that differ in their code points only",
            .json("{\"\u{E9}\":1,\"e\u{301}\":2}"),
            gives: "error: is no JSONValue"
        ),
        Habit("NaN, comments or a trailing comma in JSON", .json("[NaN,]"), gives: "error: JSON that cannot be read"),
        Habit("A number that is too large", .json("[1e999]"), gives: "error: JSON"),
        Habit(
            "`1.5` where the model has an `Int`",
            .json("{\"\u{E9}\":1.5}"),
            gives: "error: expected Int at \u{E9}, found a number"
        ) { try await $0.model() },
        Habit(
            "JSON that is nested 513 levels deep",
            .json(String(repeating: "[", count: 513) + String(repeating: "]", count: 513)),
            gives: "error: JSON that cannot be read"
        ),
        Habit("A name in other code points than that of the model", .json("{\"e\u{301}\":1}"), gives: "1") {
            try await $0.model()
        },
        Habit("No body where JSON is expected", .json(""), gives: "error: expected JSON, found nothing"),
        Habit(
            "204 where JSON is expected",
            "HTTP/1.1 204 No Content\n\n",
            gives: "error: expected JSON, found nothing"
        ),
        Habit(
            "A page with status 200, as portals of hotels send it",
            .head("200 OK", "Content-Type: text/html", body: "<html>"),
            gives: "error: is of type “text/html” where"
        ),
        Habit("A page with the type of JSON", .json("<html>"), gives: "error: expected JSON, found HTML or XML"),
        Habit(
            "A body that is shorter than its `Content-Length`",
            .cut("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 9\n\n[1]"),
            gives: "error: connection was lost"
        ),
        Habit(
            "A body that is longer than its `Content-Length`",
            "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 3\n\n[1]more",
            gives: "[1]"
        ),
        Habit(
            "A body that only the end of the connection ends",
            "HTTP/1.0 200 OK\nContent-Type: application/json\n\n[1]",
            gives: "[1]"
        ),
        Habit(
            "The same `Content-Length` twice",
            "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 3, 3\n\n[1]",
            gives: "[1]"
        ),
        Habit(
            "Two different lengths",
            "HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 4\n\n[1]",
            gives: "error: The Content-Length has two different values"
        ),
        Habit(
            "A length and chunks",
            "HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked\n\n3\n[1]\n0\n\n",
            gives: "error: There is both a Content-Length and a Transfer-Encoding"
        ),
        Habit(
            "Chunks with extensions, and trailers",
            "HTTP/1.1 200 OK\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n3;a=\"b\"\n[1]\n0\nX-Sum: 1\n\n",
            gives: "[1]"
        ),
        Habit(
            "Lines that end in LF alone",
            Answer(bytes: Array("HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 3\n\n[1]".utf8)),
            gives: "[1]"
        ),
        Habit(
            "A status without a phrase",
            "HTTP/1.1 200\nContent-Type: application/json\nContent-Length: 3\n\n[1]",
            gives: "[1]"
        ),
        Habit(
            "100 or 103 before the answer",
            "HTTP/1.1 103 Early Hints\nLink: </a>; rel=preload\n\nHTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 3\n\n[1]",
            gives: "[1]"
        ),
        Habit(
            "A header in folded lines",
            "HTTP/1.1 200 OK\nX-Long: a\n  b\nContent-Length: 0\n\n",
            gives: "a b",
            by: { try await $0.header("X-Long") }
        ),
        Habit(
            "A header in Latin-1",
            Answer(
                bytes: Array("HTTP/1.1 200 OK\r\nX-Name: caf".utf8) + [0xE9]
                    + Array("\r\nContent-Length: 0\r\n\r\n".utf8)
            ),
            gives: "café",
            by: { try await $0.header("X-Name") }
        ),
        Habit(
            "A zero byte in a header",
            "HTTP/1.1 200 OK\nX-Name: a\u{0}b\nContent-Length: 0\n\n",
            gives: "error: is not proper HTTP",
            by: { try await $0.header("X-Name") }
        ),
    ]

    /// `[1]` in gzip.
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 139, 54, 140, 5, 0, 184, 50, 47, 76, 3, 0, 0, 0,
    ]

    static let codings: [Habit] = [
        Habit("`Content-Encoding: X-GZIP`", .body(gzip, "Content-Encoding: X-GZIP"), gives: "[1]"),
        Habit(
            "`aws-chunked` beside `gzip`, as S3 keeps it",
            .body(gzip, "Content-Encoding: aws-chunked, gzip"),
            gives: "[1]"
        ),
        Habit("`aws-chunked` alone", .json("[1]", "Content-Encoding: aws-chunked"), gives: "[1]"),
        Habit("`UTF-8`, `none`, `binary` or `8bit` as a coding", .json("[1]", "Content-Encoding: UTF-8"), gives: "[1]"),
        Habit(
            "An unknown coding of bytes that are JSON nevertheless",
            .json("[1]", "Content-Encoding: json"),
            gives: "[1]"
        ),
        Habit(
            "An unknown coding of bytes that are not JSON",
            .json("PK..", "Content-Encoding: zip"),
            gives: "error: found bytes in the content coding “zip”"
        ),
        Habit(
            "An unknown coding where `Data` is expected",
            .json("PK..", "Content-Encoding: zip"),
            gives: "PK..",
            by: { try await $0.data() }
        ),
        Habit(
            "Two codings",
            .body(gzip, "Content-Encoding: gzip, gzip"),
            gives: "error: found bytes in the content coding “gzip, gzip”"
        ),
        Habit(
            "An unknown coding of a text",
            .head("200 OK", "Content-Type: text/plain", "Content-Encoding: zip", body: "PK.."),
            gives: "PK..",
            by: { try await $0.text() }
        ),
        Habit("A coding of nothing", .head("200 OK", "Content-Encoding: gzip"), gives: "", by: { try await $0.data() }),
        Habit(
            "A coded body that is cut",
            .body(Array(gzip.dropLast(4)), "Content-Encoding: gzip"),
            gives: "error: is not proper HTTP"
        ),
        Habit(
            "Bytes after the end of a coded body",
            .body(gzip + [1, 2], "Content-Encoding: gzip"),
            gives: "error: is not proper HTTP"
        ),
        Habit(
            "`gzip` for a body that is in none",
            .json("[1]", "Content-Encoding: gzip"),
            gives: "error: is not proper HTTP"
        ),
    ]

    static let charsets: [Habit] = [
        Habit(
            "Latin-1 by its registered name, `ISO_8859-1:1987`",
            .body([0xE9], type: "text/plain; charset=ISO_8859-1:1987"),
            gives: "é",
            by: { try await $0.text() }
        ),
        Habit(
            "A charset by an alias, `x-sjis` or `cp1251`",
            .body([0xCF, 0xF0], type: "text/plain; charset=\"CP1251\""),
            gives: "Пр",
            by: { try await $0.text() }
        ),
        Habit(
            "EUC-JP",
            .body([0xC6, 0xFC], type: "text/html;charset=euc-jp"),
            gives: "日",
            by: { try await $0.text() }
        ),
        Habit(
            "A text without a charset",
            .body(Array("é".utf8), type: "text/plain"),
            gives: "é",
            by: { try await $0.text() }
        ),
        Habit(
            "A text in Latin-1 without a charset",
            .body([0xE9], type: "text/plain"),
            gives: "error: expected text in utf-8, found other bytes",
            by: { try await $0.text() }
        ),
        Habit(
            "UTF-16 with a byte order mark, without a charset",
            .body([0xFF, 0xFE, 0x61, 0], type: "text/plain"),
            gives: "a",
            by: { try await $0.text() }
        ),
        Habit(
            "`utf-16` without a byte order mark",
            .body([0x61, 0], type: "text/plain; charset=utf-16"),
            gives: "a",
            by: { try await $0.text() }
        ),
        Habit(
            "An unknown charset, or UTF-7",
            .body([0x61], type: "text/plain; charset=utf-7"),
            gives: "error: found the charset “utf-7”",
            by: { try await $0.text() }
        ),
        Habit("An empty charset", .body([0x61], type: "text/plain; charset="), gives: "a", by: { try await $0.text() }),
    ]
}
