import Testing

@testable import apibase

@Suite struct HelpTests {
    @Test(arguments: Command.all.map(\.name))
    func `The --help text of each apibase command contains its summary and all its options`(name: String) async throws {
        let command = try #require(Command.named(name))
        let help = await run(name, "--help")
        #expect(help.code == 0)
        #expect(help.errors.isEmpty)
        if name != "help" {
            #expect(help == (await run("help", name)))
            #expect(help.output.hasPrefix("apibase \(name): \(command.summary)\n"))
            for option in command.options { #expect(help.output.contains("\(option.name)")) }
        }
        #expect(await run("--help").output.contains("\n  \(name) "))
    }

    @Test func `Lines of the apibase help have at most 130 characters`() async {
        for name in Command.all.map(\.name) {
            for line in await run(name, "--help").lines { #expect(line.count <= 130, "\(line)") }
        }
    }

    @Test func `The help of the get command lists the exit codes 0, 1, 2, 4, 5 and 130`() async {
        for code in [0, 1, 2, 4, 5, 130] { #expect(await run("get", "--help").output.contains("\n  \(code) ")) }
    }

    @Test func `The option --help after an unknown apibase command exits with 2`() async {
        #expect(await run("nothing", "--help").code == 2)
    }
}
