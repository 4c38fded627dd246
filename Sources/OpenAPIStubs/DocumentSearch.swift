import Foundation
import OpenAPIDocument

/// The search for the document of a test.
struct DocumentSearch {
    /// There is no such file.
    struct Failure: LocalizedError, CustomStringConvertible {
        let name: String
        let places: [String]

        var description: String { "There is no document “\(name)”. Looked for: \(places.joined(separator: ", "))" }
        var errorDescription: String? { description }
    }

    private let name: String
    private let module: Substring
    private let testFile: URL

    init(_ name: String, _ fileID: String, _ filePath: String) {
        self.name = name
        module = fileID.prefix { $0 != "/" }
        testFile = URL(fileURLWithPath: filePath)
    }

    /// The first file that is there.
    ///
    /// - Throws: ``Failure`` with the places of the search.
    func url() throws -> URL {
        let isThere: (URL) -> Bool = { FileManager.default.fileExists(atPath: $0.path) }
        if let found = besideTest.first(where: isThere) ?? resources.first(where: isThere) { return found }
        throw Failure(name: name, places: (besideTest + resources).map(\.path).unique())
    }

    /// The folder of the test, and those above it up to the package's.
    private var besideTest: [URL] {
        var places: [URL] = []
        var folder = testFile.deletingLastPathComponent()
        while folder.path != "/" {
            places.append(URL(fileURLWithPath: name, relativeTo: folder))
            let manifest = folder.appendingPathComponent("Package.swift")
            if FileManager.default.fileExists(atPath: manifest.path) { return places }
            folder.deleteLastPathComponent()
        }
        return Array(places.prefix(1))
    }

    /// The bundles of the target's resources: `Shop_ShopTests.resources` beside the tests' program.
    private var resources: [URL] {
        // On Apple systems, the tests are a bundle beside the program that runs them.
        let folders = ([Bundle.main] + Bundle.allBundles).flatMap { [$0.bundleURL, $0.resourceURL].compactMap(\.self) }
        let bundles = folders.flatMap {
            (try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
        }
        let own = bundles.filter { $0.deletingPathExtension().lastPathComponent.hasSuffix("_\(module)") }
        return (own + folders).map { $0.appendingPathComponent(name) }
    }
}
