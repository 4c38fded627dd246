import Foundation
import OpenAPIDocument

/// The settings of one API with its places.
struct GenerateJob {
    let settings: Settings
    let document: URL
    let out: URL
    let tests: URL?
    /// The settings of the last run.
    private(set) var former: Settings?

    /// For a document of the command line, or else that of the settings which an earlier run has left in the folder.
    init(document: URL? = nil, out: URL, applying options: GenerateRun.Options, folder: URL) throws {
        let file = out.appendingPathComponent(Settings.fileName)
        let isFirst = document != nil && !FileManager.default.fileExists(atPath: file.path)
        let former = isFirst ? nil : try Settings(try GenerateRun.read(file), path: Settings.fileName)
        let stem = document?.deletingPathExtension().lastPathComponent ?? ""
        var settings = try former ?? Settings(name: options.name ?? Identifier.type(stem), document: "")
        if let document { settings.document = document.path(from: out) }
        try settings.apply(options, out: out, folder: folder)
        try self.init(settings, document: document ?? out.file(at: settings.document), out: out)
        self.former = former
        // Somebody else may have written the settings.
        if options.tests == nil, let tests, !tests.isInside(folder), !tests.isInside(out) {
            throw Refusal.testsOutside(tests.path, settings: Settings.fileName)
        }
    }

    /// For a list, which needs no place.
    init(listing document: URL, _ options: GenerateRun.Options) throws {
        var settings = try Settings(name: options.name ?? "API", document: document.path)
        let folder = document.deletingLastPathComponent()
        try settings.apply(options, out: folder, folder: folder)
        try self.init(settings, document: document, out: folder)
    }

    private init(_ settings: Settings, document: URL, out: URL) throws {
        var settings = settings
        let module = out.lastPathComponent
        if Identifier.isName(module) { settings.moduleName = module }
        tests = settings.tests.map { out.folder(at: $0) }
        if let tests { settings.documentFromTests = document.path(from: tests) }
        self.settings = settings
        self.document = document
        self.out = out
        // Files of one would be taken for files of the other that have gone.
        let (code, other) = (out.resolvingSymlinksInPath().path, tests?.resolvingSymlinksInPath().path)
        if let other, [code, "\(code)/Models"].contains(other) || "\(other)/Models" == code {
            throw Refusal.badSettings(settings.tests ?? "", reason: "the tests need a folder of their own")
        }
    }

    func readDocument() throws -> Document {
        try Document(try GenerateRun.read(document), name: document.lastPathComponent)
    }
}

extension Settings {
    fileprivate mutating func apply(_ options: GenerateRun.Options, out: URL, folder: URL) throws {
        if let name = options.name { self.name = try Settings(name: name, document: document).name }
        if let tests = options.tests { self.tests = folder.folder(at: tests).path(from: out) }
        if options.isPackage { hasCatalog = true }
        // An empty pattern takes back those of earlier runs.
        if !options.only.isEmpty { only = options.only.filter { !$0.isEmpty } }
        if !options.except.isEmpty { except = options.except.filter { !$0.isEmpty } }
    }
}

extension URL {
    /// A folder at a path, which leads from this one unless it is whole.
    func folder(at path: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: true, relativeTo: self).standardizedFileURL
    }

    /// A file at a path, which leads from this folder unless it is whole.
    func file(at path: String) -> URL {
        URL(fileURLWithPath: path, isDirectory: false, relativeTo: self).standardizedFileURL
    }

    /// The path that leads here from a folder: `../../petstore.json`.
    func path(from folder: URL) -> String {
        let (target, start) = (standardizedFileURL.pathComponents, folder.standardizedFileURL.pathComponents)
        let shared = zip(target, start).prefix { $0 == $1 }.count
        // Paths that share nothing but the root stay as they are.
        guard shared > 1 else { return path }
        return (Array(repeating: "..", count: start.count - shared) + target[shared...]).joined(separator: "/")
    }
}
