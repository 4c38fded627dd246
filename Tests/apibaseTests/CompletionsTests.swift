import APIBaseKit
import HostileServer
import TestTiers
import Testing

@testable import apibase

@Suite(.limited) struct CompletionsTests {
    @Test(arguments: Completions.Shell.allCases)
    func `The apibase completion script for each shell contains all commands and options`(shell: Completions.Shell) {
        // Whole words, because “post” is in “posts”. The script for fish has the names of options without dashes.
        let words = Set(Completions.script(for: shell).split { !$0.isLetter && $0 != "-" })
        for command in Command.all {
            #expect(words.contains(command.name[...]))
            for option in command.options {
                #expect(words.contains(option.name.dropFirst(shell == .fish ? 2 : 0)), "\(option.name)")
            }
        }
    }

    @Test func `The completions command prints the script for the given shell`() async {
        #expect(await run("completions", "fish").output == Completions.script(for: .fish) + "\n")
    }

    #if os(Linux)
    private func bash(_ arguments: String...) throws -> (end: ChildProcess.End, output: String) {
        let (output, end) = try ChildProcess(URL(fileURLWithPath: Self.path), arguments, quiet: false).finish()
        return (end, String(decoding: output, as: UTF8.self))
    }

    private static let path = "/bin/bash"
    private static let isThere = FileManager.default.isExecutableFile(atPath: path)

    @Test(.enabled(if: isThere))
    func `Bash finds no syntax error in the Bash and fish completion scripts of apibase`() throws {
        #expect(try bash("-n", "-c", Completions.bash).end == .exit(0))
        // The script for fish has the same quoting.
        #expect(try bash("-n", "-c", Completions.fish).end == .exit(0))
    }

    @Test(
        .enabled(if: isThere),
        arguments: [
            (["apibase", "com"], "completions"), (["apibase", "completions", "z"], "zsh"),
            (["apibase", "--json", "photos", "--sh"], "--show"),
            (["apibase", "get", "h", "--tim"], "--timeout --timings"),
            (["apibase", "record", "--out", "f", "use"], "users"), (["apibase", "get", "--output", ""], ""),
            (["apibase", "--ver"], "--version"),
        ]
    )
    func `Bash completes the beginning of an apibase command or option with all that match`(
        words: [String],
        offer: String
    )
        throws
    {
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(Completions.bash)
            COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); _apibase; printf %s "${COMPREPLY[*]}"
            """
        #expect(try bash("-c", script) == (.exit(0), offer))
    }
    #endif
}
