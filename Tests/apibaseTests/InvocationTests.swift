import APIBaseKit
import Testing

@testable import apibase

/// The jobs and the errors of command lines.
@Suite struct InvocationTests {
    private func isSame<Left: Job>(_ left: Left, _ right: any Job) -> Bool { left == right as? Left }

    private static let account = Todos.Account(email: "e@example.com", password: Secret("p"), isNew: false)
    private static let demo = Todos.Account(
        email: "demo@example.com",
        password: Secret("password123"),
        isNew: true
    )
    private static let login = ["--email", "e@example.com", "--password", "p"]

    private func job<Call: APICommand>(_ call: Call, _ target: Target = .demoServer, json: Bool = false) -> any Job {
        APIJob(call: call, target: target, json: json)
    }

    @Test func `Invocation parses a command line to the job of its command, with its options and server`() throws {
        let url = try #require(URL(string: "http://localhost:8080"))
        let firstPhotos = Photos(search: nil, page: 1, perPage: 10)
        let secondPage = Photos(search: "a b", page: 2, perPage: 30)
        let expectations: [([String], any Job)] = [
            ([], DemoJob()), (["demo"], DemoJob()),
            (["--help"], Help(command: nil)), (["-h"], Help(command: nil)), (["help"], Help(command: nil)),
            (["users", "--help"], Help(command: "users")), (["help", "get"], Help(command: "get")),
            (["--version"], Version()), (["completions", "zsh"], Completions(shell: .zsh)),
            (["serve"], Serve(host: "127.0.0.1", port: 8080)),
            (["serve", "--port", "0"], Serve(host: "127.0.0.1", port: 0)),
            (["serve", "--port=80", "--host", "0.0.0.0"], Serve(host: "0.0.0.0", port: 80)),
            (["users"], job(Users(id: nil))), (["users", "3"], job(Users(id: 3))),
            (["--json", "users", "--live"], job(Users(id: nil), .live, json: true)),
            (["--base-url", "http://localhost:8080", "users"], job(Users(id: nil), .url(url))),
            (["posts", "--user", "3"], job(Posts(userID: 3))),
            (["photos", "--base-url", "http://localhost:8080"], job(firstPhotos, .url(url))),
            (["photos", "--search", "a b", "--page=2", "--per-page", "30"], job(secondPage)),
            (["apps", "--country", "DE", "--count", "25"], job(Apps(country: "de", count: 25))),
            (["todos"], job(Todos(account: Self.demo, action: .list))),
            (
                ["todos", "add", "a title"] + Self.login,
                job(Todos(account: Self.account, action: .add(title: "a title")))
            ),
            (["todos", "add", "--", "--help"], job(Todos(account: Self.demo, action: .add(title: "--help")))),
            (["todos", "delete", "7"] + Self.login, job(Todos(account: Self.account, action: .delete(id: 7)))),
        ]
        for (arguments, expected) in expectations {
            let invocation = try Invocation(arguments)
            let isSame = isSame(expected, invocation.job)
            #expect(isSame, "\(arguments): \(invocation.job)")
            #expect(invocation.recording == nil)
        }
    }

    @Test func `Invocation gets its recording file from the record command or from --record and --replay`() throws {
        let expectations: [([String], any Job, RecordingFile)] = [
            (["record", "--out", "/f.har"], DemoJob(), RecordingFile("/f.har")),
            (
                ["--out=/f.har", "--json", "record", "users", "3"], job(Users(id: 3), json: true),
                RecordingFile("/f.har")
            ),
            (["users", "3", "--record", "/f.har"], job(Users(id: 3)), RecordingFile("/f.har")),
            (["--replay", "/f.har"], DemoJob(), RecordingFile("/f.har", isReplay: true)),
            (
                ["users", "--live", "--replay", "/f.har"], job(Users(id: nil), .live),
                RecordingFile("/f.har", isReplay: true)
            ),
        ]
        for (arguments, expected, recording) in expectations {
            let invocation = try Invocation(arguments)
            let isSame = isSame(expected, invocation.job)
            #expect(isSame, "\(arguments): \(invocation.job)")
            #expect(invocation.recording == recording)
        }
    }

    @Test(
        arguments: [
            (["nothing"], .unknownCommand("nothing")), (["users", "--nothing"], .unknownOption("--nothing")),
            (["users", "--nothing=1"], .unknownOption("--nothing")), (["-x"], .unknownOption("-x")),
            (["users", "x"], .badValue("the ID of a user", "x", "a whole number from 1")),
            (["users", "0"], .badValue("the ID of a user", "0", "a whole number from 1")),
            (["users", "-1"], .badValue("the ID of a user", "-1", "a whole number from 1")),
            (
                ["apps", "--country", "../.."],
                .badValue("--country", "../..", "a two-letter country code")
            ),
            (["users", "--json=yes"], .unexpectedArgument("--json=yes")),
            (["users", "1", "2"], .unexpectedArgument("2")), (["serve", "--port"], .missingValue(option: "--port")),
            (
                ["serve", "--port", "65536"],
                .badValue("--port", "65536", "a whole number from 0 to 65535")
            ),
            (
                ["serve", "--port", "-1"],
                .badValue("--port", "-1", "a whole number from 0 to 65535")
            ),
            (["users", "--live", "--base-url", "http://h"], .conflict("--live", "--base-url")),
            (["todos", "add"], .missingArgument("The title of the todo")),
            (["todos", "delete"], .missingArgument("The ID of the todo")),
            (["todos", "nothing"], .unknownCommand("todos nothing")),
            (["todos", "--email", "e"], .missingArgument("The option “--password”")),
            (["todos", "--password", "p"], .missingArgument("The option “--email”")),
            (["demo", "--json"], .unknownOption("--json")), ([""], .unknownCommand("")),
            (["record"], .missingArgument("The option “--out”")), (["users", "--out", "f"], .unknownOption("--out")),
            (["record", "--out", "f", "--replay", "f"], .conflict("record", "--replay")),
            (["users", "--record", "f", "--replay", "f"], .conflict("--record", "--replay")),
            (["record", "--out", "f", "serve"], .conflict("record", "serve")),
            (["serve", "--replay", "f"], .unknownOption("--replay")),
            (["record", "record", "--out", "f"], .unknownCommand("record")),
            (["--replay", ""], .badValue("--replay", "", "the path of a file")),
            (["completions"], .missingArgument("The name of a shell (bash, zsh, fish)")),
            (["completions", "sh"], .badValue("SHELL", "sh", "one of bash, zsh, fish")),
        ] as [([String], UsageError)]
    )
    func `Invocation throws the UsageError that names the mistake in a wrong command line`(
        arguments: [String],
        error: UsageError
    ) {
        #expect(throws: error) { try Invocation(arguments) }
    }

    @Test(arguments: ["ftp://h/", "localhost", "", "http://"])
    func `The option --base-url throws badValue for a value that is not an absolute HTTP URL`(text: String) {
        let expected = "an absolute URL, such as http://localhost:8080"
        #expect(throws: UsageError.badValue("--base-url", text, expected)) {
            try Invocation(["users", "--base-url", text])
        }
    }

    @Test func `Options with the same name take a value in all apibase commands or in none`() {
        let all = Command.all.flatMap(\.options)
        for option in all {
            #expect(all.allSatisfy { $0.name != option.name || $0.isFile == option.isFile }, "\(option.name)")
            #expect(
                all.allSatisfy { $0.name != option.name || ($0.placeholder == nil) == (option.placeholder == nil) },
                "\(option.name)"
            )
        }
        for command in Command.all {
            let names = (command.options + [.help]).flatMap(\.names)
            #expect(Set(names).count == names.count, "\(command.name)")
        }
    }
}
