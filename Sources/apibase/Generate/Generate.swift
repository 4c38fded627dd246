import APIBaseGenerator
import APIBaseKit
import Basics
import OpenAPIDocument

/// `apibase generate`: writes the classes of an API from its OpenAPI document.
struct Generate: Job {
    let options: GenerateRun.Options

    func run(_ context: Context) async throws -> Int32 {
        let folder = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let outcome: GenerateRun.Outcome
        do {
            outcome = try DeepStack.run { try GenerateRun(options, in: folder).perform() }
        } catch let error where error is Refusal || error is DocumentError {
            context.output.error("apibase: \(error.localizedDescription.forTerminal)")
            return ExitCode.usage
        }
        for warning in outcome.warnings { context.output.error("warning: \(warning.forTerminal)") }
        for line in outcome.lines { context.output.line(line.forTerminal) }
        for problem in outcome.problems { context.output.error("apibase: \(problem.forTerminal)") }
        return outcome.problems.isEmpty ? ExitCode.success : ExitCode.failed
    }
}

extension Command {
    static let generate = Command(
        name: "generate",
        operands: "[DOCUMENT]",
        summary: "write the classes of an API from its OpenAPI document",
        details: """
            Reads OpenAPI 3.0 and 3.1 in JSON or YAML. The first run names the document, the API and the folder, which then holds
            the settings, apibase.json; later runs need no arguments. Files that were edited by hand are not overwritten.

              apibase generate petstore.json --name Petstore --out Sources/Petstore --tests Tests/PetstoreTests
              apibase generate
              apibase generate --check
              apibase generate petstore.json --name Petstore --out petstore-swift --package --kit ../APIBaseKit
              apibase generate github.json --list --only 'issues/*'
              apibase generate --from session.har --base https://api.example.com/v1 --out books.json

            --from makes a draft of a document from a recording, to be edited. The exit code is 1 if --check finds a
            difference or a file is edited, and 2 if the document cannot be used.
            """,
        options: [.name, .folder, .tests, .package, .kit, .only, .except, .list, .check, .force, .from, .base]
    ) { arguments in
        var options = GenerateRun.Options()
        options.document = arguments.next()
        options.name = arguments.value(.name)
        options.out = arguments.value(.folder)
        options.tests = arguments.value(.tests)
        options.only = arguments.values(.only)
        options.except = arguments.values(.except)
        options.isPackage = arguments.has(.package)
        options.kit = arguments.value(.kit)
        if options.kit != nil, !options.isPackage { throw UsageError.needs("--kit", "--package") }
        options.version = PackageVersion.number
        options.isList = arguments.has(.list)
        options.isCheck = arguments.has(.check)
        options.isForced = arguments.has(.force)
        options.recording = arguments.value(.from)
        options.base = arguments.value(.base)
        return Generate(options: options)
    }
}

extension Option {
    fileprivate static let name = Option("--name", value: "NAME", "the name of the API, such as Petstore")
    fileprivate static let folder = Option(
        "--out",
        value: "FOLDER",
        "the folder for the code, such as Sources/Petstore"
    )
    fileprivate static let tests = Option("--tests", value: "FOLDER", "the folder for stubs and tests of the examples")
    fileprivate static let package = Option("--package", "write a whole package into the folder of --out")
    fileprivate static let kit = Option(
        "--kit",
        value: "PLACE",
        "the path or URL of APIBaseKit for the package, by default Vendor/APIBaseKit in it"
    )
    fileprivate static let only = Option(
        "--only",
        value: "PATTERN",
        "only these operations: an ID, a tag, a path, or METHOD /path; * is any text, '' takes them back; repeatable"
    )
    fileprivate static let except = Option(
        "--except",
        value: "PATTERN",
        "without these operations; '' takes them back; repeatable"
    )
    fileprivate static let list = Option("--list", "list the operations, and write nothing")
    fileprivate static let check = Option("--check", "write nothing; exit with 1 if the code is not current")
    fileprivate static let from = Option(
        "--from",
        value: "FILE",
        "write a draft of a document from this recording (HAR)"
    )
    fileprivate static let base = Option("--base", value: "URL", "the URL before all paths of the recording")
    fileprivate static let force = Option("--force", "overwrite files that were edited by hand")
}
