import APIBaseKit
import Testing

@testable import apibase

@Suite struct CommandTests {
    private func call(_ call: Call, _ target: Target = .demoServer, json: Bool = false) -> Command {
        .call(call, Command.Options(target: target, json: json))
    }

    @Test func theArgumentsSayWhatToDo() throws {
        let account = Call.Account(email: "e@example.com", password: "p", isNew: false)
        let login = ["--email", "e@example.com", "--password", "p"]
        let demo = Call.Account(email: "demo@example.com", password: "password123", isNew: true)
        let url = try #require(URL(string: "http://localhost:8080"))
        let file = URL(fileURLWithPath: "/f.har")
        let expectations: [([String], Command)] = [
            ([], .demo), (["demo"], .demo), (["--help"], .help), (["-h"], .help), (["help"], .help),
            (["users", "--help"], .help), (["--version"], .version),
            (["serve"], .serve(host: "127.0.0.1", port: 8080)),
            (["serve", "--port", "0"], .serve(host: "127.0.0.1", port: 0)),
            (["serve", "--port=80", "--host", "0.0.0.0"], .serve(host: "0.0.0.0", port: 80)),
            (["users"], call(.users(id: nil))), (["users", "3"], call(.users(id: 3))),
            (["--json", "users", "--live"], call(.users(id: nil), .live, json: true)),
            (["posts", "--user", "3"], call(.posts(userID: 3))),
            (
                ["photos", "--base-url", "http://localhost:8080"],
                call(.photos(search: nil, page: 1, perPage: 10), .url(url))
            ),
            (
                ["photos", "--search", "a b", "--page=2", "--per-page", "30"],
                call(.photos(search: "a b", page: 2, perPage: 30))
            ),
            (["apps", "--country", "de", "--count", "25"], call(.apps(country: "de", count: 25))),
            (["todos"], call(.todos(demo, .list))),
            (["todos", "add", "a title"] + login, call(.todos(account, .add(title: "a title")))),
            (["todos", "add", "--", "--title"], call(.todos(demo, .add(title: "--title")))),
            (["todos", "delete", "7"] + login, call(.todos(account, .delete(id: 7)))),
            (["record", "--out", "/f.har"], .recorded(.demo, .record(file))),
            (
                ["--out=/f.har", "--json", "record", "users", "3"],
                .recorded(call(.users(id: 3), json: true), .record(file))
            ),
            (["--replay", "/f.har"], .recorded(.demo, .replay(file))),
            (["users", "--live", "--replay", "/f.har"], .recorded(call(.users(id: nil), .live), .replay(file))),
        ]
        for (arguments, expected) in expectations {
            #expect(try Command(arguments) == expected, "\(arguments)")
        }
    }

    @Test(
        arguments: [
            (["nothing"], .unknownCommand("nothing")), (["users", "--nothing"], .unknownOption("--nothing")),
            (["users", "x"], .badValue(option: "the id of a user", value: "x", expected: "a whole number from 1")),
            (["users", "0"], .badValue(option: "the id of a user", value: "0", expected: "a whole number from 1")),
            (["users", "-1"], .badValue(option: "the id of a user", value: "-1", expected: "a whole number from 1")),
            (
                ["apps", "--country", "../.."],
                .badValue(option: "--country", value: "../..", expected: "the two letters of a country")
            ),
            (
                ["users", "--base-url", "ftp://h/"],
                .badValue(
                    option: "--base-url",
                    value: "ftp://h/",
                    expected: "an absolute URL, such as http://localhost:8080"
                )
            ),
            (["users", "1", "2"], .unexpectedArgument("2")), (["serve", "--port"], .missingValue(option: "--port")),
            (
                ["serve", "--port", "65536"],
                .badValue(option: "--port", value: "65536", expected: "a whole number from 0 to 65535")
            ),
            (
                ["serve", "--port", "-1"],
                .badValue(option: "--port", value: "-1", expected: "a whole number from 0 to 65535")
            ),
            (
                ["users", "--base-url", "localhost"],
                .badValue(
                    option: "--base-url",
                    value: "localhost",
                    expected: "an absolute URL, such as http://localhost:8080"
                )
            ),
            (["users", "--live", "--base-url", "http://h"], .notTogether("--live", "--base-url")),
            (["todos", "add"], .missingArgument("The title of the todo")),
            (["todos", "delete"], .missingArgument("The id of the todo")),
            (["todos", "nothing"], .unknownCommand("todos nothing")),
            (["todos", "--email", "e"], .missingArgument("The option “--password”")),
            (["demo", "--json"], .unknownOption("--json")), ([""], .unknownCommand("")),
            (["record"], .missingArgument("The option “--out”")), (["users", "--out", "f"], .unknownOption("--out")),
            (["record", "--out", "f", "--replay", "f"], .notTogether("record", "--replay")),
            (["record", "--out", "f", "serve"], .notTogether("record", "serve")),
            (["serve", "--replay", "f"], .notTogether("--replay", "serve")),
            (["record", "record", "--out", "f"], .unknownCommand("record")),
            (["--replay", ""], .badValue(option: "--replay", value: "", expected: "the path of a file")),
        ] as [([String], UsageError)]
    )
    func wrongArgumentsAreSaidToBe(arguments: [String], error: UsageError) {
        #expect(throws: error) { try Command(arguments) }
    }
}
