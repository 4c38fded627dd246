package import Foundation
import OpenAPIDocument

/// The settings of a run: `apibase.json`, beside the code that it describes.
package struct Settings: Hashable {
    package static let fileName = "apibase.json"

    package var name: String
    /// The path of the document, from the folder of the settings.
    package var document: String
    /// The folder of the tests, from the folder of the settings; `nil` for none.
    package var tests: String?
    package var only: [String] = []
    package var except: [String] = []
    /// Names of types by names of schemas, and of leaves by IDs of operations.
    package var names: [String: String] = [:]
    /// Rules for pages and long operations, by IDs of operations, or `*` for all.
    package var series: [String: Series] = [:]
    package var isPublic = true
    /// Whether the code has a catalogue of DocC.
    package var hasCatalog = false
    /// Whether the class has a function for each operation, beside the leaves.
    package var hasCalls = false
    /// The path of the document, from the folder of the tests.
    package var documentFromTests = ""
    /// The module of the code, if it is not called as the API: the name of its folder.
    package var moduleName: String?

    /// - Throws: ``Refusal/badName(_:)``
    package init(name: String, document: String) throws {
        // These have a class of the kit for their APIs, or are modules that the code imports.
        let isKit = ["JSON", "GraphQL", "APIBaseKit", "Foundation", "Swift", "Testing"].contains(name)
        guard Identifier.isName(name), name.first?.isUppercase == true, !isKit else { throw Refusal.badName(name) }
        (self.name, self.document) = (name, document)
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``Refusal`` with the path of the file.
    package init(_ data: Data, path: String) throws {
        let json = try JSON(data, name: path)
        for (name, value) in json.pairs {
            guard let form = Self.form(name, value) else { continue }
            throw Refusal.badSettings(path, reason: "“\(name)” is \(form)")
        }
        guard let name = json["name"]?.string, let document = json["document"]?.string else {
            throw Refusal.badSettings(path, reason: "“name” and “document” are needed")
        }
        try self.init(name: name, document: document)
        tests = json["tests"]?.string
        only = (json["only"]?.array ?? []).compactMap(\.string)
        except = (json["except"]?.array ?? []).compactMap(\.string)
        hasCatalog = json["catalog"]?.bool == true
        hasCalls = json["calls"]?.bool == true
        isPublic = json["access"]?.string != "internal"
        for (name, value) in json["names"]?.pairs ?? [] {
            guard let text = value.string, Identifier.isName(text), !ReservedNames.types.contains(text) else {
                throw Refusal.badName(value.text ?? name)
            }
            names[name] = text
        }
        for (operation, rule) in json["pages"]?.pairs ?? [] {
            guard let series = Series(rule), rule.keys == series.json?.keys else {
                let forms = """
                    {"link": true}, {"header": "x-next"}, {"url": "links.next"}, {"query": "cursor", "from": "meta.next"}, \
                    {"number": "page"} or {"offset": "offset"}
                    """
                throw Refusal.badSettings(path, reason: "the pages of “\(operation)” are none of \(forms)")
            }
            self.series[operation] = series
        }
        for operation in (json["polls"]?.array ?? []).compactMap(\.string) { series[operation] = .polling }
    }

    /// The kind of value that a setting needs; `nil` if it has one.
    private static func form(_ name: String, _ value: JSON) -> String? {
        func isText(_ value: JSON) -> Bool { value.string?.isEmpty == false }
        return switch name {
        case "name", "document", "tests": isText(value) ? nil : "a text"
        case "only", "except", "polls": value.array?.allSatisfy(isText) == true ? nil : "a list of texts"
        case "names", "pages": value.object != nil ? nil : "an object"
        case "catalog", "calls": value.bool != nil ? nil : "true or false"
        case "access": ["public", "internal"].contains(value.string) ? nil : "“public” or “internal”"
        default: "no setting"
        }
    }

    /// - Throws: ``Refusal/badSettings(_:reason:)`` for a key of `names`, `pages` or `polls` that the document does not have.
    func check(_ document: Document, _ outlines: [OperationOutline]) throws(Refusal) {
        let operations = Set(outlines.flatMap { [$0.id ?? $0.route, $0.route] })
        let schemas = Set((document.root["components"]?["schemas"]?.members ?? []).map(\.name))
        let unknown =
            series.keys.filter { $0 != "*" && !operations.contains($0) }
            + names.keys.filter { !operations.contains($0) && !schemas.contains($0) }
        guard let first = unknown.sorted().first else { return }
        throw .badSettings(Self.fileName, reason: "the document has no “\(first)”; take it out of the settings")
    }

    /// The text of the file.
    package var text: String {
        var members: [(String, JSON)] = [("document", .string(document)), ("name", .string(name))]
        if let tests { members.append(("tests", .string(tests))) }
        if !only.isEmpty { members.append(("only", .array(only.map(JSON.string)))) }
        if !except.isEmpty { members.append(("except", .array(except.map(JSON.string)))) }
        if !names.isEmpty {
            members.append(("names", .members(names.sorted(by: <).map { ($0.key, .string($0.value)) })))
        }
        let pages = series.sorted { $0.key < $1.key }.compactMap { key, value in value.json.map { (key, $0) } }
        if !pages.isEmpty { members.append(("pages", .members(pages))) }
        let polls = series.filter { $0.value == .polling }.keys.sorted()
        if !polls.isEmpty { members.append(("polls", .array(polls.map(JSON.string)))) }
        if hasCalls { members.append(("calls", .bool(true))) }
        if hasCatalog { members.append(("catalog", .bool(true))) }
        if !isPublic { members.append(("access", .string("internal"))) }
        return JSON.members(members).lines(width: 40).joined(separator: "\n") + "\n"
    }
}

extension JSON {
    fileprivate var keys: Set<String> { Set(object?.names ?? []) }
}

extension Series {
    fileprivate init?(_ rule: JSON) {
        if rule["link"]?.bool == true {
            self = .link
        } else if let header = rule["header"]?.string {
            self = .header(header)
        } else if let path = rule["url"]?.string {
            self = .url(path)
        } else if let item = rule["query"]?.string, let path = rule["from"]?.string {
            self = .query(item, from: path, while: rule["while"]?.string)
        } else if let item = rule["number"]?.string {
            self = .number(item, Counting(rule))
        } else if let item = rule["offset"]?.string {
            self = .offset(item, Counting(rule))
        } else {
            return nil
        }
    }

    var json: JSON? {
        switch self {
        case .link: .members([("link", .bool(true))])
        case .header(let name): .members([("header", .string(name))])
        case .url(let path): .members([("url", .string(path))])
        case .query(let item, let path, let more):
            .members(
                [("query", .string(item)), ("from", .string(path))] + (more.map { [("while", .string($0))] } ?? [])
            )
        case .number(let item, let counting): .members([("number", .string(item))] + counting.members)
        case .offset(let item, let counting): .members([("offset", .string(item))] + counting.members)
        case .polling: nil
        }
    }
}

extension Series.Counting {
    fileprivate init(_ rule: JSON) {
        self.init(list: rule["list"]?.string, total: rule["of"]?.string, more: rule["while"]?.string)
    }

    fileprivate var members: [(String, JSON)] {
        [("list", list), ("of", total), ("while", more)].compactMap { name, path in path.map { (name, .string($0)) } }
    }
}
