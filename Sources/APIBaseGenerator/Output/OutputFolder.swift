import Foundation
import OpenAPIDocument

/// A folder of generated files: what it holds, and what a run would change.
struct OutputFolder {
    /// The effects that a run would have in a folder.
    struct Plan {
        /// New texts by their paths, without those that are there already.
        var written: [(path: String, text: String)] = []
        /// Files whose declarations have gone.
        var deleted: [String] = []
        /// Files that somebody has edited, or that are not the command's: without `--force`, nothing is changed then.
        var edited: [String] = []
        /// The texts that were there.
        var old: [String] = []
        /// The texts that will be there.
        var new: [String] = []

        var isEmpty: Bool { written.isEmpty && deleted.isEmpty }
    }

    let url: URL

    /// Compares the files with what is there.
    ///
    /// All generated files are of these settings in a folder that has them; in another one, those that an earlier run made
    /// of the documents are. Their names begin so, since several APIs may have one folder of tests.
    func plan(_ files: [GeneratedFile], named beginnings: [String], documents: [String]) throws -> Plan {
        var plan = Plan()
        for file in files {
            let text = FileHeader.adding(to: file, document: documents[0])
            plan.new.append(text)
            try check(file.path)
            let old = self.text(at: file.path)
            if let old {
                plan.old.append(old)
                if case .untouched = FileHeader.state(of: old) {} else { plan.edited.append(file.path) }
            }
            if old?.replacing("\r\n", with: "\n") != text { plan.written.append((file.path, text)) }
        }
        let isOwn = text(at: Settings.fileName) != nil
        let documents = isOwn ? nil : Set(documents.map { Comment.line($0, width: 80) })
        // Systems that ignore case would show a file of another name.
        let kept = Set(files.map { $0.path.lowercased() })
        for path in writtenFiles where !kept.contains(path.lowercased()) && isInside(path) {
            guard beginnings.contains(where: path.hasPrefix), let text = text(at: path) else { continue }
            switch FileHeader.state(of: text) {
            case .untouched(let document) where documents?.contains(document) != false: break
            case .edited where documents?.contains { text.contains(" · \($0) · ") } != false: plan.edited.append(path)
            case .untouched, .edited, .foreign: continue
            }
            plan.deleted.append(path)
            plan.old.append(text)
        }
        return plan
    }

    func perform(_ plan: Plan) throws {
        for (path, text) in plan.written { try write(text, at: path) }
        for path in plan.deleted {
            try check(path)
            try FileManager.default.removeItem(at: url.appendingPathComponent(path))
        }
    }

    func write(_ text: String, at path: String) throws {
        try check(path)
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    func text(at path: String) -> String? {
        (try? Data(contentsOf: url.appendingPathComponent(path))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: ``Refusal/outside(_:)`` for a path that leads out of the folder, also through a link.
    private func check(_ path: String) throws {
        guard isInside(path) else { throw Refusal.outside(path) }
    }

    private func isInside(_ path: String) -> Bool {
        url.appendingPathComponent(path).deletingLastPathComponent().isInside(url)
    }

    /// The paths of the files here, in `Models` and in catalogues, sorted.
    private var writtenFiles: [String] {
        // A folder with settings of its own is another API's.
        let folders = text(at: "Models/\(Settings.fileName)") == nil ? ["", "Models/"] : [""]
        func names(in folder: String, _ endings: String...) -> [String] {
            let path = url.appendingPathComponent(folder).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().map { folder + $0 }
        }
        let catalogs = names(in: "", ".docc").map { "\($0)/" }
        return (folders + catalogs).flatMap { names(in: $0, ".swift", ".md") }
    }
}

extension URL {
    /// Whether this is a folder or below it, also through links.
    func isInside(_ folder: URL) -> Bool {
        let (own, root) = (withoutLinks.pathComponents, folder.withoutLinks.pathComponents)
        return own.starts(with: root)
    }

    /// Foundation resolves no link of a path whose end does not exist.
    private var withoutLinks: URL {
        let isThere = FileManager.default.fileExists(atPath: path) || pathComponents.count < 2
        return isThere
            ? resolvingSymlinksInPath()
            : deletingLastPathComponent().withoutLinks.appendingPathComponent(lastPathComponent)
    }
}
