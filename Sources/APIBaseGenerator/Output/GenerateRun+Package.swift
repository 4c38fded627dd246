import Foundation
import OpenAPIDocument

extension GenerateRun {
    /// Writes the manifest and the page of a package, unless they are there.
    func writePackage(of files: GeneratedFiles, named name: String, _ outcome: inout Outcome) throws {
        let root = OutputFolder(url: folder.folder(at: options.out ?? ""))
        let given = options.kit.map { PackageWriter.isURL($0) ? $0 : folder.folder(at: $0).path(from: root.url) }
        let kit = given ?? "Vendor/APIBaseKit"
        let manifest = PackageWriter.manifest(name, kit: kit, version: options.version)
        let missing = [("Package.swift", manifest), ("README.md", files.readme)].filter { root.text(at: $0.0) == nil }
        for (path, text) in missing { try root.write(text, at: path) }
        guard !missing.isEmpty else { return }
        let paths = missing.map(\.0).joined(separator: " and ")
        outcome.lines.append("\(paths): written once, and yours. The kit is at \(kit).")
    }
}
