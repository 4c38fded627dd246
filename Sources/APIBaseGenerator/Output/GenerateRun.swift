package import Foundation
import OpenAPIDocument

/// A run of `apibase generate`: finds the settings, generates, compares, writes, and says what has changed.
package struct GenerateRun {
    /// The options of the command line. The others are in the settings of an earlier run.
    package struct Options: Hashable, Sendable {
        package var document: String?
        package var name: String?
        package var out: String?
        package var tests: String?
        package var only: [String] = []
        package var except: [String] = []
        /// A recording to make a draft of a document from, written to ``out``.
        package var recording: String?
        /// The URL before all paths of the recording.
        package var base: String?
        /// Whether ``out`` is the folder of a whole package.
        package var isPackage = false
        /// The path or the URL of the kit in the manifest of a package.
        package var kit: String?
        /// The version of the kit.
        package var version = ""
        package var isCheck = false
        package var isList = false
        package var isForced = false

        package init() {}
    }

    /// The text to print, and whether all is as it should be.
    package struct Outcome {
        package var lines: [String] = []
        package var warnings: [String] = []
        /// Names what is not current, or edited by hand.
        package var problems: [String] = []
    }

    let options: Options
    let folder: URL

    /// Prepares a run in the folder from which relative paths lead.
    package init(_ options: Options, in folder: URL) { (self.options, self.folder) = (options, folder) }

    /// Does all of it.
    ///
    /// - Throws: ``Refusal`` for a document, settings or names that cannot be used, and the errors of files.
    package func perform() throws -> Outcome {
        if let recording = options.recording { return try draft(of: recording) }
        var outcome = Outcome()
        // Before anything is written, so that a document that cannot be read changes nothing.
        let prepared = try jobs().map { job in
            let generator = try Generator(try job.readDocument(), job.settings)
            return (job, generator, options.isList ? nil : try generator.files())
        }
        for (job, generator, files) in prepared {
            // Those of the types are of no use beside a list.
            let listed = generator.warnings
            if options.isList {
                outcome.lines += try generator.list()
            } else if let files {
                try perform(job, files, of: generator.document.name, &outcome)
            }
            let warnings = options.isList ? listed : generator.warnings
            outcome.warnings += warnings.map { "\(generator.document.name)\($0)" }
        }
        return outcome
    }

    private func perform(_ job: GenerateJob, _ files: GeneratedFiles, of name: String, _ outcome: inout Outcome) throws
    {
        var folders = [(folder: OutputFolder(url: job.out), files: files.sources)]
        if let tests = job.tests { folders.append((OutputFolder(url: tests), files.tests)) }
        let all = [job.settings] + (job.former.map { [$0] } ?? [])
        let documents = [name] + all.compactMap { $0.document.split(separator: "/").last.map(String.init) }
        let plans = try folders.map { folder, files in
            let beginnings = folder.url == job.out ? [""] : all.map { "\($0.name)Examples" }
            return (folder: folder, plan: try folder.plan(files, named: beginnings, documents: documents))
        }
        func paths(_ list: (OutputFolder.Plan) -> [String]) -> [String] {
            plans.flatMap { folder, plan in list(plan).map { folder.url.file(at: $0).path(from: self.folder) } }
        }
        let edited = paths(\.edited)
        if !edited.isEmpty, !options.isForced {
            outcome.problems += edited.map { "\($0) is edited by hand: nothing is written. --force overwrites it." }
            return
        }
        if options.isCheck {
            let changed = paths { $0.written.map(\.path) + $0.deleted }
            outcome.problems += changed.map { "\($0) is not what the document gives." }
            return
        }
        for (folder, plan) in plans { try folder.perform(plan) }
        let out = OutputFolder(url: job.out)
        if out.text(at: files.own.path) == nil { try out.write(files.own.text, at: files.own.path) }
        if let former = job.former.map({ "\($0.name)API.swift" }), former != files.own.path, out.text(at: former) != nil
        {
            outcome.warnings.append(
                "\(former) is the class of the former name, and yours: move what it overrides to \(files.own.path), and delete it"
            )
        }
        let settings = out.text(at: Settings.fileName)
        if settings != job.settings.text { try out.write(job.settings.text, at: Settings.fileName) }
        let isFirst = settings == nil
        let (written, deleted) = (plans.flatMap(\.plan.written).count, plans.flatMap(\.plan.deleted).count)
        outcome.lines.append(
            "\(job.settings.name): \(files.operationCount.of("operation")); \(written.of("file")) written, \(deleted) deleted."
        )
        if options.isPackage {
            try writePackage(of: files, named: job.settings.name, &outcome)
        } else if isFirst {
            outcome.lines.append("In Package.swift, the target needs: exclude: [\"\(Settings.fileName)\"]")
        }
        outcome.lines += Changes(plans[0].plan).lines
        if isFirst { outcome.lines += files.proposals }
    }

    static func read(_ file: URL) throws -> Data {
        if let data = try? Data(contentsOf: file) { return data }
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        let reason = isFolder.boolValue ? "it is a folder" : isThere ? "it cannot be opened" : "there is no such file"
        throw Refusal.unreadable(file.path, reason: reason)
    }

    // MARK: Settings

    /// One job for a document of the command line, or for each file of settings that is found.
    private func jobs() throws -> [GenerateJob] {
        guard let document = options.document else {
            guard !options.isPackage else { throw Refusal.badSettings("--package", reason: "the document is needed") }
            let folders = foldersWithSettings()
            guard !folders.isEmpty else {
                throw Refusal.unreadable(Settings.fileName, reason: "there is none here or below; name a document")
            }
            return try folders.map { try GenerateJob(out: $0, applying: options, folder: folder) }
        }
        if document == "-" || document.contains(/^https?:/) { throw Refusal.noFile(document) }
        let url = folder.file(at: document)
        guard let out = options.out else {
            if options.isList { return [try GenerateJob(listing: url, options)] }
            throw Refusal.badSettings("--out", reason: "the folder for the code is needed")
        }
        var (code, applied) = (folder.folder(at: out), options)
        if options.isPackage {
            let name = options.name ?? Identifier.type(url.deletingPathExtension().lastPathComponent)
            applied.tests = options.tests ?? code.folder(at: "Tests/\(name)Tests").path
            code = code.folder(at: "Sources/\(name)")
        }
        return [try GenerateJob(document: url, out: code, applying: applied, folder: folder)]
    }

    private func foldersWithSettings() -> [URL] {
        let start = options.out.map(folder.folder) ?? folder
        var found: [URL] = []
        let paths = FileManager.default.enumerator(atPath: start.path)
        while let path = paths?.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name == Settings.fileName { found.append(start.file(at: path).deletingLastPathComponent()) }
            let isFolder = paths?.fileAttributes?[.type] as? FileAttributeType == .typeDirectory
            let isSearched = !name.hasPrefix(".") && path.count { $0 == "/" } < 4
            if isFolder, !isSearched { paths?.skipDescendants() }
        }
        return found.sorted { $0.path < $1.path }
    }
}

extension Int {
    /// The number with a noun: `1 file`, `2 files`.
    fileprivate func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
