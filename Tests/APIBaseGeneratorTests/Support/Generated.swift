import Foundation

@testable import APIBaseGenerator
import OpenAPIDocument

/// The code that a document gives.
struct Generated {
    let files: [String: String]
    let warnings: [String]

    /// The code of a whole document.
    init(_ document: String, _ change: (inout Settings) -> Void = { _ in }) throws {
        var settings = try Settings(name: "Shop", document: "shop.json")
        settings.tests = "Tests"
        change(&settings)
        let generator = try Generator(try Document(Data(document.utf8), name: "shop.json"), settings)
        let generated = try generator.files()
        let all = generated.sources + [generated.own] + generated.tests
        files = Dictionary(all.map { ($0.path, $0.text) }) { $1 }
        warnings = generator.warnings.map(\.description)
    }

    /// The code of a document with these paths, schemas and other members.
    init(
        paths: String =
            ##"{"/thing": {"get": {"operationId": "thing", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}}}}}"##,
        schemas: String = "{}",
        components: String = "",
        other: String = "",
        _ change: (inout Settings) -> Void = { _ in }
    ) throws {
        try self.init(
            """
            {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, \(other)
            "servers": [{"url": "https://shop.example/v1"}],
            "paths": \(paths), "components": {"schemas": \(schemas)\(components)}}
            """,
            change
        )
    }

    /// All leaves.
    var requests: String { texts { $0.hasSuffix("Requests.swift") && !$0.contains("/") } }
    /// All types.
    var models: String { texts { $0.hasPrefix("Models/") } }
    var document: String { files["ShopDocument.swift"] ?? "" }

    private func texts(_ isWanted: (String) -> Bool) -> String {
        files.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
    }

    /// The lines of the types with a property, without indentation.
    func property(_ name: String) -> String? {
        let lines = models.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        return lines.first { $0.contains("var \(name): ") }.map(String.init)
    }
}

/// A folder that is deleted at the end.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func text(_ path: String) -> String? { try? String(contentsOf: url.appendingPathComponent(path), encoding: .utf8) }

    /// The paths of all files, sorted.
    var paths: [String] {
        (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.contains(".") }.sorted()
    }
}

extension TemporaryFolder {
    /// Runs the command in this folder.
    @discardableResult func run(_ change: (inout GenerateRun.Options) -> Void = { _ in }) throws -> GenerateRun.Outcome
    {
        var options = GenerateRun.Options()
        change(&options)
        return try GenerateRun(options, in: url).perform()
    }
}
