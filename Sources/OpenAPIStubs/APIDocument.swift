public import APIBaseKit
import APIBaseRedaction
import Basics
import Foundation
package import OpenAPIDocument

/// The OpenAPI document of an API, 3.0 or 3.1 in JSON or YAML, with which calls and the answers of stubs are compared.
///
/// ```swift
/// let document = try APIDocument(contentsOf: url).allowing(.undocumentedStatus(503))
/// let stubs = Stubs(document: document)
/// ```
///
/// Methods and paths, required and unknown query items, the values of parameters, media types, bodies by their schemas,
/// statuses, and the headers that a reply declares are compared. Credentials are not, nor is the host: tests and stages
/// have others. Members that a schema does not name are findings as well, unless ``allowingUnknownMembers()`` says
/// otherwise.
public struct APIDocument: Sendable {
    package let contract: Contract
    private var allowed: [Deviation] = []
    private var allowsUnknownMembers = false
    private var api: (@Sendable (StubbedCall) -> Bool)?

    /// Reads a document. A file that has not changed is read once in a process.
    ///
    /// - Throws: The error of the file, or the reason why it is no OpenAPI document that can be read, with the command
    ///   that helps.
    public init(contentsOf url: URL) throws {
        contract = try Self.files.contract(of: url)
    }

    /// Reads a document beside a test, by the path of its file: `try APIDocument(file: "openapi.json")`.
    ///
    /// The file is searched for beside the file of the code, in the folders above it up to that of `Package.swift`, and
    /// among the resources of the code's target.
    ///
    /// - Throws: The places of the search if there is no such file, and the errors of ``init(contentsOf:)``.
    public init(file: String, fileID: String = #fileID, filePath: String = #filePath) throws {
        try self.init(contentsOf: DocumentSearch(file, fileID, filePath).url())
    }

    /// Reads a document that is in memory.
    ///
    /// - Parameters:
    ///   - data: JSON or YAML.
    ///   - name: The name of its file in findings.
    /// - Throws: The reason why it is no OpenAPI document that can be read.
    public init(_ data: Data, name: String = "openapi.json") throws {
        contract = try .read(data, name: name, isSecret: SecretNames.ofMessages.hasAny)
    }

    private static let files = DocumentFiles()

    /// The same document, from which calls and answers may deviate in these ways.
    ///
    /// A stub has an `allowing(_:)` too, for its own calls.
    public func allowing(_ deviations: Deviation...) -> APIDocument { allowing(deviations) }

    package func allowing(_ deviations: [Deviation]) -> APIDocument {
        var document = self
        document.allowed += deviations
        return document
    }

    /// The same document, in which members of objects that their schemas do not name are no failure.
    ///
    /// Most schemas allow other members by the letter. In a test, such a member is mostly a misspelled or an old one.
    public func allowingUnknownMembers() -> APIDocument {
        var document = self
        document.allowsUnknownMembers = true
        return document
    }

    /// The same document for the calls of one class and its subclasses. Other calls are not compared.
    public func of<API: APIBase>(_ api: API.Type) -> APIDocument {
        var document = self
        document.api = { $0.isMade { $0 is API.Type } }
        return document
    }

    /// Whether a call is compared.
    func includes(_ call: StubbedCall) -> Bool { api?(call) ?? true }

    /// Whether a finding is allowed, also by a stub.
    func allows(_ finding: ContractFinding, _ others: [Deviation]) -> Bool {
        (allowed + others).contains { $0.includes(finding.deviation) }
    }

    /// Whether a finding is no failure.
    func isWarning(_ finding: ContractFinding) -> Bool {
        if case .unknownMember = finding.deviation { allowsUnknownMembers } else { false }
    }
}

/// The documents that have been read from files.
private final class DocumentFiles: Sendable {
    private let known = Locked<[URL: (modified: Date?, size: Int?, contract: Contract)]>([:])
    /// Held while a file is read, so that the tests of a process read it once.
    private let reading = NSLock()

    func contract(of url: URL) throws -> Contract {
        let url = url.standardizedFileURL
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw DocumentSearch.Failure(name: url.lastPathComponent, places: [url.path])
        }
        return try reading.withLock {
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            let (modified, size) = (attributes[.modificationDate] as? Date, attributes[.size] as? Int)
            if let file = known.withLock({ $0[url] }), (file.modified, file.size) == (modified, size) {
                return file.contract
            }
            let contract = try APIDocument(Data(contentsOf: url), name: url.lastPathComponent).contract
            known.withLock { $0[url] = (modified, size, contract) }
            return contract
        }
    }
}
