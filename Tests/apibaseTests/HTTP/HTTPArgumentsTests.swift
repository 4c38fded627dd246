import APIBaseKit
import Testing

@testable import apibase

/// The arguments of `get URL` and its siblings.
@Suite struct HTTPArgumentsTests {
    private func job(_ arguments: [String]) throws -> HTTPJob {
        try #require(try Invocation(arguments).job as? HTTPJob)
    }

    @Test(arguments: [
        ("https://example.com/a?b=c", "https://example.com/a?b=c"), ("example.com/a", "https://example.com/a"),
        ("example.com:8443/a", "https://example.com:8443/a"), ("localhost/a", "http://localhost/a"),
        ("127.0.0.1:80", "http://127.0.0.1:80"), ("[::1]:80/", "http://[::1]:80/"),
        (":8080/a", "http://localhost:8080/a"), (":8080", "http://localhost:8080"), (":/a", "http://localhost/a"),
        ("HTTP://EXAMPLE.COM", "HTTP://EXAMPLE.COM"), ("https://example.com/#part", "https://example.com/"),
    ])
    func `URL arguments without a scheme get https, or http for the local machine, the default host`(
        text: String,
        url: String
    ) throws {
        #expect(try job(["get", text]).url.absoluteString == url)
    }

    @Test(arguments: [
        ("post", HTTPMethod.post), ("get", .get), ("head", .head), ("put", .put), ("patch", .patch),
        ("delete", .delete), ("query", .query),
    ])
    func `The get, head, post, put, patch, delete and query commands each send the method of their name`(
        name: String,
        method: HTTPMethod
    ) throws {
        #expect(try job([name, "h"]).method == method)
    }

    @Test func `HTTP commands of apibase accept options before, between and after their arguments`() throws {
        let job = try job([
            "--bearer", "env:T", "post", "-v", "h", "--retry=2", "a=b", "--timeout", "0.5", "-o", "f", "--no-redirects",
            "-i", "--timings", "--curl", "c==d",
        ])
        #expect(job.bearer == Secret("env:T"))
        #expect(job.items == (try RequestItems(["a=b", "c==d"], isForm: false)))
        #expect((job.retries, job.timeout, job.file) == (2, 0.5, "f"))
        #expect(!job.followsRedirects)
        #expect(job.extras == [.verbose, .include, .timings, .curl])
    }

    @Test func `A single dash means standard input for --body and standard output for --output`() throws {
        let job = try job(["put", "h", "--body", "-", "--output", "-", "--basic", "file:/f"])
        #expect((job.body, job.file) == ("-", nil))
        #expect(job.basic == Secret("file:/f"))
    }

    @Test(
        arguments: [
            ["get"]: "The URL is missing.",
            ["get", "ftp://h"]:
                "“ftp://h” is not valid for “URL”: expected a URL, such as https://example.com/path.",
            ["get", ""]: "“” is not valid for “URL”: expected a URL, such as https://example.com/path.",
            ["get", "http:///a"]:
                "“http:///a” is not valid for “URL”: expected a URL, such as https://example.com/path.",
            ["get", "h", "a=b"]:
                "“a=…” is not valid for “get”: expected no body; use a==… for a query item.",
            ["head", "h", "a:=1"]:
                "“a:=…” is not valid for “head”: expected no body; use a==… for a query item.",
            ["get", "h", "--form"]: "the command has no option “--form”.",
            ["post", "h", "a=b", "--body", "f"]: "“--body” and “a=…” cannot be combined.",
            ["post", "h", "--form", "--body", "f"]: "“--body” and “--form” cannot be combined.",
            ["post", "h", "a@f"]: "“a@…” needs “--form”.",
            ["post", "h", "a:=1", "--form"]: "“a:=…” and “--form” cannot be combined.",
            ["post", "h", "a:=x"]: "“a:=…” is not valid for “ITEM”: expected JSON, such as 1 or [1, 2].",
            ["post", "h", "a:="]: "“a:=…” is not valid for “ITEM”: expected JSON, such as 1 or [1, 2].",
            ["post", "h", "--bearer", "a", "--basic", "b:c"]: "“--bearer” and “--basic” cannot be combined.",
            ["get", "h", "--timeout", "0"]:
                "“0” is not valid for “--timeout”: expected seconds, more than 0 and at most 86400.",
            ["get", "h", "--timeout", "nan"]:
                "“nan” is not valid for “--timeout”: expected seconds, more than 0 and at most 86400.",
            ["get", "h", "--retry", "-1"]: "“-1” is not valid for “--retry”: expected a whole number from 0 to 100.",
            ["get", "h", "--output"]: "the option “--output” needs a value.",
            ["get", "h", "--ignore-stdin"]: "the command has no option “--ignore-stdin”.",
        ]
    )
    func `Wrong arguments of an HTTP command exit with 2 and one line that names the mistake`(
        arguments: [String],
        error: String
    )
        async
    {
        let outcome = await run(arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors == "apibase: \(error)\nTry “apibase \(arguments[0]) --help”.\n")
    }
}
